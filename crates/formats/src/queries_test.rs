use proptest::prelude::*;

use super::*;

fn message(text: &str) -> String {
    read_queries(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn columns_can_have_any_order_and_others_are_ignored() {
    let text = "\u{feff}gz, gy ,gx,note,sx,sy,sz\n6,5,4,\"a, b\",1,2, 3e0\r\n\n6,5,4,,1,2,3,9\n";
    let query = QueryPoints {
        from: vec3(1.0, 2.0, 3.0),
        to: vec3(4.0, 5.0, 6.0),
    };
    assert_eq!(read_queries(text.as_bytes()).unwrap(), [query, query]);
}

#[test]
fn other_columns_need_not_be_utf_8() {
    let text = b"sx,sy,sz,gx,gy,gz,name\n1,2,3,4,5,6,Andr\xe9\n";
    assert_eq!(read_queries(text).unwrap().len(), 1);
}

#[test]
fn a_file_without_queries_is_valid() {
    assert_eq!(read_queries(b"sx,sy,sz,gx,gy,gz"), Ok(vec![]));
}

#[test]
fn errors_name_column_and_line() {
    assert_eq!(
        message("sx,sy,sz,gx,gz\n1,2,3,4,5\n"),
        "the header has no column 'gy'; the required columns are sx,sy,sz,gx,gy,gz"
    );
    assert_eq!(message(""), "the file is empty");
    assert!(message("\n").contains("'sx'"));
    let with_lines = |lines: &str| message(&format!("sx,sy,sz,gx,gy,gz\n{lines}"));
    assert_eq!(
        with_lines("1,2,3,4,5,6\n1,2,3,4,inf,6\n"),
        "line 3: gy = 'inf' is not a finite number"
    );
    assert_eq!(
        with_lines("1,2,3,4,5,6\n\r\n\n1,2,3,4,5\n"),
        "line 5: there is no gz; the line is too short"
    );
    assert_eq!(
        with_lines("1,,3,4,5,6\n"),
        "line 2: sy = '' is not a finite number"
    );
}

/// Gives one byte at a time, so that every record spans several reads.
struct OneByOne<'a>(&'a [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = buffer.len().min(1);
        self.0.read(&mut buffer[..size])
    }
}

#[test]
fn slices_are_those_of_the_whole_file() {
    let rows: String = (0..50).map(|i| format!("{i},0,1,\"2\",3,4,x\n")).collect();
    let text = format!("sx,sy,sz,gx,gy,gz\n{rows}");
    let all = read_queries(text.as_bytes()).unwrap();
    let mut reader = QueryReader::new(OneByOne(text.as_bytes())).unwrap();
    let mut slices = Vec::new();
    loop {
        let slice: Vec<_> = reader.by_ref().take(7).map(Result::unwrap).collect();
        if slice.is_empty() {
            break;
        }
        slices.push(slice);
    }
    assert_eq!(slices.len(), 8);
    assert_eq!(slices.concat(), all);
    assert_eq!(reader.bytes_read(), text.len() as u64);
}

/// However the source is read, only the bytes of a record and one buffer are kept, and lines are counted from the
/// start of the file.
#[test]
fn an_error_late_in_a_long_file_names_its_line() {
    let rows = "1,2,3,4,5,6\r\n\r\n\n".repeat(20_000);
    let text = format!("sx,sy,sz,gx,gy,gz\n{rows}1,2,3,4,5\n");
    let line = "line 60002: there is no gz; the line is too short";
    assert_eq!(message(&text), line);
    let mut reader = QueryReader::new(text.as_bytes()).unwrap();
    let error = reader.find_map(Result::err).unwrap();
    assert_eq!(error.to_string(), line);
    assert!(reader.reader.get_ref().bytes.len() < text.len() / 2);
    let mut reader = QueryReader::new(OneByOne(text.as_bytes())).unwrap();
    let error = reader.find_map(Result::err).unwrap();
    assert_eq!(error.to_string(), line);
}

#[test]
fn a_source_that_fails_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let text = b"sx,sy,sz,gx,gy,gz\n1,2,3,4,5,6\n";
    let mut reader = QueryReader::new(text.chain(Broken)).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file cannot be read: the disk is gone"
    );
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_queries(&bytes);
    }

    #[test]
    fn changed_bytes_never_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = b"sx,sy,sz,gx,gy,gz\n1,2,3,4,5,6\n1,2,3,4,\"5\",6\n".to_vec();
        for (position, value) in changes {
            let position = position.index(bytes.len());
            bytes[position] = value;
        }
        let _ = read_queries(&bytes);
    }

    #[test]
    fn numbers_survive_a_round_trip(values in proptest::collection::vec(-1e30f32..1e30, 6)) {
        let line = values.iter().map(f32::to_string).collect::<Vec<_>>().join(",");
        let queries = read_queries(format!("sx,sy,sz,gx,gy,gz\n{line}\n").as_bytes()).unwrap();
        prop_assert_eq!([queries[0].from.to_array(), queries[0].to.to_array()].concat(), values);
    }
}
