// QR codes of texts up to a few hundred bytes: byte mode, error correction M, versions 1 to 15, after ISO/IEC 18004.

/** For each version, error correction M: check bytes of a block, and the number of blocks. */
const blocks: readonly (readonly [check: number, count: number])[] = [
  [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4],
  [22, 5], [26, 5], [30, 5], [22, 8], [22, 9], [24, 9], [24, 10],
];

// ---- Arithmetic of bytes modulo x^8 + x^4 + x^3 + x^2 + 1

const power = new Uint8Array(512);
const exponent = new Uint8Array(256);
for (let i = 0, value = 1; i < 255; i++) {
  power[i] = power[i + 255] = value;
  exponent[value] = i;
  value <<= 1;
  if (value > 255) value ^= 0x11d;
}
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : power[exponent[a]! + exponent[b]!]!);

/** The remainder of the data, shifted by so many bytes, by the generator of that degree. */
function checkBytes(data: readonly number[], degree: number): number[] {
  let generator = [1];
  for (let i = 0; i < degree; i++) {
    const next = [...generator, 0];
    for (let j = 0; j < generator.length; j++) next[j + 1]! ^= times(generator[j]!, power[i]!);
    generator = next;
  }
  const rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    for (let i = 0; i < degree; i++) rest[i]! ^= times(generator[i + 1]!, factor);
  }
  return rest;
}

// ---- The square

const sizeOf = (version: number): number => 17 + 4 * version;

function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = sizeOf(version) - 7;
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - step * (count - 2 - i))];
}

type Square = (boolean | null)[][]; // null: free for data

/** `value` and behind it the rest of its division by `divisor`, which has `bits` + 1 bits. */
function withCheck(value: number, divisor: number, bits: number): number {
  let rest = value;
  for (let i = 0; i < bits; i++) rest = (rest << 1) ^ ((rest >>> (bits - 1)) & 1 ? divisor : 0);
  return (value << bits) | (rest & ((1 << bits) - 1));
}

function frame(version: number): Square {
  const size = sizeOf(version);
  const square: Square = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) square[y]![x] = dark;
  };
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
  const at = alignments(version);
  const end = at.length - 1;
  at.forEach((cy, j) =>
    at.forEach((cx, i) => {
      if ((i === 0 && j === 0) || (i === 0 && j === end) || (i === end && j === 0)) return;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  if (version >= 7) {
    const bits = withCheck(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >>> i) & 1) === 1;
      const a = size - 11 + (i % 3);
      const b = Math.floor(i / 3);
      set(a, b, dark);
      set(b, a, dark);
    }
  }
  format(square, 0);
  return square;
}

/** The fifteen bits about correction and mask, twice. Error correction M is 00. */
function format(square: Square, mask: number): void {
  const size = square.length;
  const bits = withCheck(mask, 0x537, 10) ^ 0x5412;
  const bit = (i: number) => ((bits >>> i) & 1) === 1;
  for (let i = 0; i < 15; i++) {
    const y = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    square[y]![8] = bit(i);
    const x = i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i;
    square[8]![x] = bit(i);
  }
  square[size - 8]![8] = true;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** How badly a finished square is to be read; the standard's four rules. */
function penalty(square: boolean[][]): number {
  const size = square.length;
  let sum = 0;
  let dark = 0;
  const finder = /1011101/g;
  for (let i = 0; i < size; i++) {
    const row = square[i]!.map(Number).join('');
    const column = square.map((line) => Number(line[i])).join('');
    dark += row.replaceAll('0', '').length;
    for (const line of [row, column]) {
      for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
      for (const { index } of line.matchAll(finder)) {
        const before = line.slice(Math.max(index - 4, 0), index);
        const behind = line.slice(index + 7, index + 11);
        if (!before.includes('1') || !behind.includes('1')) sum += 40;
      }
    }
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const one = square[y]![x];
      if (one === square[y - 1]![x] && one === square[y]![x - 1] && one === square[y - 1]![x - 1]) sum += 3;
    }
  return sum + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size));
}

/** The square of a text, row by row, true for dark; null when the text is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  for (let version = 1; version <= blocks.length; version++) {
    const square = frame(version);
    const [check, count] = blocks[version - 1]!;
    const all = Math.floor(square.flat().filter((one) => one === null).length / 8);
    const capacity = all - check * count;
    const lengthBits = version < 10 ? 8 : 16;
    if (4 + lengthBits + bytes.length * 8 > capacity * 8) continue;

    // Mode, length, text, the end; then bytes to fill.
    const bits: number[] = [];
    const put = (value: number, length: number) => {
      for (let i = length - 1; i >= 0; i--) bits.push((value >>> i) & 1);
    };
    put(4, 4);
    put(bytes.length, lengthBits);
    for (const byte of bytes) put(byte, 8);
    put(0, Math.min(4, capacity * 8 - bits.length));
    while (bits.length % 8 !== 0) bits.push(0);
    const data: number[] = [];
    for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2));
    for (let pad = 0xec; data.length < capacity; pad ^= 0xfd) data.push(pad);

    // In blocks, the first ones a byte shorter where it does not come out even; then woven together.
    const short = Math.floor(capacity / count);
    const shorter = count - (capacity % count);
    const parts: { data: number[]; check: number[] }[] = [];
    for (let i = 0, from = 0; i < count; i++) {
      const part = data.slice(from, from + short + (i < shorter ? 0 : 1));
      from += part.length;
      parts.push({ data: part, check: checkBytes(part, check) });
    }
    const stream: number[] = [];
    for (let i = 0; i <= short; i++) for (const part of parts) if (i < part.data.length) stream.push(part.data[i]!);
    for (let i = 0; i < check; i++) for (const part of parts) stream.push(part.check[i]!);

    return draw(square, stream);
  }
  return null;
}

/** Lays the stream into the free places, in the mask that reads best. */
function draw(frame: Square, stream: readonly number[]): boolean[][] {
  const size = frame.length;
  const places: [number, number][] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (frame[y]![x] === null) places.push([x, y]);
    }
  }
  let best: boolean[][] | null = null;
  let least = Infinity;
  masks.forEach((mask, number) => {
    const square = frame.map((row) => [...row]);
    format(square, number);
    places.forEach(([x, y], i) => {
      const bit = i < stream.length * 8 && ((stream[i >>> 3]! >>> (7 - (i & 7))) & 1) === 1;
      square[y]![x] = bit !== mask(x, y);
    });
    const whole = square as boolean[][];
    const bad = penalty(whole);
    if (bad < least) [best, least] = [whole, bad];
  });
  return best!;
}

/** The dark places as the path of a drawing, one unit each. */
export function qrPath(square: readonly (readonly boolean[])[]): string {
  return square
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
}
