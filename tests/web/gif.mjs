// Reads the GIFs that the page writes, to check them. Not a reader of every GIF: no interlacing, no
// colours of a single frame.

/** The size, and for each frame its time and the numbers of its colours. */
export function readGif(bytes) {
  const text = (at, length) => String.fromCharCode(...bytes.slice(at, at + length));
  const short = (at) => bytes[at] + bytes[at + 1] * 256;
  if (text(0, 6) !== "GIF89a") throw new Error("not a GIF");
  const [width, height] = [short(6), short(8)];
  const count = 2 << (bytes[10] & 7);
  const colours = Array.from({ length: count }, (_, at) => [...bytes.slice(13 + at * 3, 16 + at * 3)]);
  let at = 13 + count * 3;
  const blocks = () => {
    const parts = [];
    while (bytes[at] > 0) {
      parts.push(...bytes.slice(at + 1, at + 1 + bytes[at]));
      at += bytes[at] + 1;
    }
    at += 1;
    return parts;
  };
  const frames = [];
  let [ms, endless] = [0, false];
  while (bytes[at] !== 0x3b) {
    const kind = bytes[at];
    if (kind === 0x21) {
      const label = bytes[at + 1];
      at += 2;
      const data = blocks();
      if (label === 0xf9) ms = (data[1] + data[2] * 256) * 10;
      if (label === 0xff) endless = String.fromCharCode(...data.slice(0, 11)) === "NETSCAPE2.0";
    } else if (kind === 0x2c) {
      const bits = bytes[at + 10];
      at += 11;
      const pixels = unpackCodes(blocks(), bits);
      if (pixels.length !== width * height) throw new Error(`frame ${frames.length} has ${pixels.length} pixels`);
      frames.push({ ms, pixels });
    } else throw new Error(`no GIF at byte ${at}`);
  }
  return { width, height, colours, frames, endless };
}

/** The opposite of `lzw`. */
export function unpackCodes(bytes, bits) {
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  const pixels = [];
  let [size, table, last] = [bits + 1, [], null];
  let [held, count, at] = [0, 0, 0];
  for (;;) {
    while (count < size) {
      if (at >= bytes.length) throw new Error("the codes have no end");
      held |= bytes[at++] << count;
      count += 8;
    }
    const code = held & ((1 << size) - 1);
    held >>>= size;
    count -= size;
    if (code === end) return pixels;
    if (code === clear) {
      table = Array.from({ length: clear + 2 }, (_, value) => (value < clear ? [value] : []));
      [size, last] = [bits + 1, null];
      continue;
    }
    const entry = table[code] ?? (last && [...last, last[0]]);
    if (!entry || code > table.length) throw new Error(`code ${code} is not known`);
    for (const pixel of entry) pixels.push(pixel);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << size && size < 12) size += 1;
    last = entry;
  }
}
