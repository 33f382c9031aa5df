// On which side of a line a point is, without rounding. Floating-point numbers decide clear cases. The others are computed with
// integers, because WGSL promises little about roundings, and compilers may fuse or reorder them.

// Whether a sign cannot be decided: coordinates differ too much in size, or the CPU, which computes in 64 bits, may round.
var<private> is_uncertain: bool;

// Returns the sign of the cross product of `over - start` and `to - start`: 1 if `to` is on the left, as on the CPU.
fn side_of(start: vec2<f32>, over: vec2<f32>, to: vec2<f32>) -> i32 {
    let a = over - start;
    let b = to - start;
    let first = a.x * b.y;
    let second = a.y * b.x;
    // Three roundings change the area by less than 4e-7 of its terms, also if they round towards 0.
    let error = 4e-7 * (abs(first) + abs(second));
    let area = first - second;
    if area > error {
        return 1;
    }
    if area < -error {
        return -1;
    }
    return exact_side(start, over, to);
}

// Returns whether `b` is left of `a` whatever is rounded.
fn is_clearly_left(a: vec2<f32>, b: vec2<f32>) -> bool {
    return a.x * b.y - a.y * b.x > 4e-7 * (abs(a.x * b.y) + abs(a.y * b.x));
}

// A number of 64 bits and its sign. `x` is the low word.
struct Integer {
    magnitude: vec2<u32>,
    is_negative: bool,
}

fn exact_side(start: vec2<f32>, over: vec2<f32>, to: vec2<f32>) -> i32 {
    // All numbers are multiples of the unit of the lowest exponent.
    let points = array<f32, 6>(start.x, start.y, over.x, over.y, to.x, to.y);
    var lowest = 255u;
    var highest = 1u;
    for (var i = 0u; i < 6u; i++) {
        let bits = bitcast<u32>(points[i]) & 0x7fffffffu;
        if bits != 0u {
            let exponent = max(bits >> 23u, 1u);
            lowest = min(lowest, exponent);
            highest = max(highest, exponent);
        }
    }
    // A number has 24 bits, a difference at most 24 + 37 + 1.
    if highest > lowest + 37u {
        is_uncertain = true;
        return 0;
    }
    let ax = difference(over.x, start.x, lowest);
    let ay = difference(over.y, start.y, lowest);
    let bx = difference(to.x, start.x, lowest);
    let by = difference(to.y, start.y, lowest);
    let first = product(ax.magnitude, by.magnitude);
    let second = product(ay.magnitude, bx.magnitude);
    let first_sign = sign_of(first, ax.is_negative != by.is_negative);
    let second_sign = sign_of(second, ay.is_negative != bx.is_negative);
    if first_sign != second_sign {
        return select(-1, 1, first_sign > second_sign);
    }
    let order = compare(first, second);
    if order == 0 {
        return 0;
    }
    // The products of the CPU have 53 bits, so it may decide otherwise if they differ by less than 2^-50 of their size.
    let larger = select(second, first, order > 0);
    let smaller = select(first, second, order > 0);
    let length = leading_bit(larger);
    if length > 52u && leading_bit(less(larger, smaller)) + 50u < length {
        is_uncertain = true;
    }
    return order * first_sign;
}

fn sign_of(magnitude: vec4<u32>, is_negative: bool) -> i32 {
    if all(magnitude == vec4(0u)) {
        return 0;
    }
    return select(1, -1, is_negative);
}

// Returns a number as a multiple of the unit of an exponent, in the complement of 2.
fn fixed(value: f32, exponent: u32) -> vec2<u32> {
    let bits = bitcast<u32>(value);
    let own = (bits >> 23u) & 255u;
    let significand = (bits & 0x7fffffu) | select(0u, 0x800000u, own > 0u);
    if significand == 0u {
        return vec2(0u);
    }
    let shift = max(own, 1u) - exponent;
    var words = vec2(0u, significand << (shift & 31u));
    if shift < 32u {
        words = vec2(significand << shift, select(0u, significand >> ((32u - shift) & 31u), shift > 0u));
    }
    return select(words, opposite(words), (bits >> 31u) == 1u);
}

fn opposite(a: vec2<u32>) -> vec2<u32> {
    let low = ~a.x + 1u;
    return vec2(low, ~a.y + select(0u, 1u, low == 0u));
}

fn difference(a: f32, b: f32, exponent: u32) -> Integer {
    let minuend = fixed(a, exponent);
    let subtrahend = fixed(b, exponent);
    let words = vec2(minuend.x - subtrahend.x, minuend.y - subtrahend.y - select(0u, 1u, minuend.x < subtrahend.x));
    let is_negative = (words.y >> 31u) == 1u;
    return Integer(select(words, opposite(words), is_negative), is_negative);
}

// Returns the product of two words.
fn word_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let left = (a >> 16u) * (b & 0xffffu);
    let right = (a & 0xffffu) * (b >> 16u);
    let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
    let high = (a >> 16u) * (b >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u);
    return vec2(middle << 16u | (low & 0xffffu), high);
}

// Returns a sum and its carry.
fn sum(a: u32, b: u32) -> vec2<u32> {
    return vec2(a + b, select(0u, 1u, a + b < a));
}

// Returns the product of two magnitudes, the lowest word first.
fn product(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    let low = word_product(a.x, b.x);
    let left = word_product(a.y, b.x);
    let right = word_product(a.x, b.y);
    let high = word_product(a.y, b.y);
    let second = sum(left.x, right.x);
    let second_all = sum(second.x, low.y);
    let third = sum(left.y, right.y);
    let third_high = sum(third.x, high.x);
    let third_all = sum(third_high.x, second.y + second_all.y);
    return vec4(low.x, second_all.x, third_all.x, high.y + third.y + third_high.y + third_all.y);
}

fn compare_words(a: u32, b: u32) -> i32 {
    return select(0, 1, a > b) - select(0, 1, a < b);
}

fn compare(a: vec4<u32>, b: vec4<u32>) -> i32 {
    if a.w != b.w {
        return compare_words(a.w, b.w);
    }
    if a.z != b.z {
        return compare_words(a.z, b.z);
    }
    if a.y != b.y {
        return compare_words(a.y, b.y);
    }
    return compare_words(a.x, b.x);
}

// Returns `a - b`, which must not be negative.
fn less(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var words = a - b;
    var borrow = a.x < b.x;
    let y = words.y - select(0u, 1u, borrow);
    borrow = a.y < b.y || (borrow && a.y == b.y);
    let z = words.z - select(0u, 1u, borrow);
    borrow = a.z < b.z || (borrow && a.z == b.z);
    return vec4(words.x, y, z, words.w - select(0u, 1u, borrow));
}

// Returns the number of the highest bit that is set. One must be set.
fn leading_bit(a: vec4<u32>) -> u32 {
    if a.w != 0u {
        return 96u + firstLeadingBit(a.w);
    }
    if a.z != 0u {
        return 64u + firstLeadingBit(a.z);
    }
    if a.y != 0u {
        return 32u + firstLeadingBit(a.y);
    }
    return firstLeadingBit(a.x);
}
