// Writes animated GIFs.

/** The bytes of codes with LZW, as GIF has it. `pixels` are numbers below 2 to the power of `bits`. */
export function lzw(pixels, bits) {
  const clear = 1 << bits;
  const end = clear + 1;
  const bytes = [];
  let [held, count] = [0, 0];
  let [size, next, known] = [bits + 1, end + 1, new Map()];
  const put = (code) => {
    held |= code << count;
    count += size;
    while (count >= 8) {
      bytes.push(held & 255);
      held >>>= 8;
      count -= 8;
    }
  };
  put(clear);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at++) {
    const pair = prefix * 256 + pixels[at];
    const code = known.get(pair);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    if (next < 4096) {
      known.set(pair, next);
      if (next === 1 << size && size < 12) size++;
      next++;
    } else {
      put(clear);
      [size, next, known] = [bits + 1, end + 1, new Map()];
    }
    prefix = pixels[at];
  }
  put(prefix);
  put(end);
  if (count > 0) bytes.push(held & 255);
  return bytes;
}

/** Up to 256 colours for these pixels of a canvas: the most frequent ones, with 5 bits for each part. */
export function commonColours(pictures) {
  const counts = new Map();
  for (const data of pictures) {
    for (let at = 0; at < data.length; at += 4) {
      const key = ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);
      const found = counts.get(key);
      if (found === undefined) counts.set(key, [1, data[at], data[at + 1], data[at + 2]]);
      else found[0]++;
    }
  }
  const list = [...counts].sort((a, b) => b[1][0] - a[1][0] || a[0] - b[0]);
  const colours = list.slice(0, 256).map(([, [, ...rgb]]) => rgb);
  const numbers = new Map(list.slice(0, 256).map(([key], at) => [key, at]));
  const nearest = (key) => {
    const rgb = [(key >> 10) << 3, ((key >> 5) & 31) << 3, (key & 31) << 3];
    let [best, least] = [0, Infinity];
    colours.forEach((colour, at) => {
      const far = colour.reduce((sum, part, n) => sum + (part - rgb[n]) ** 2, 0);
      if (far < least) [best, least] = [at, far];
    });
    return best;
  };
  for (const [key] of list.slice(256)) numbers.set(key, nearest(key));
  return { colours, number: (r, g, b) => numbers.get(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)) };
}

/** A GIF that plays without end. Frames are `{ data, ms }` with the pixels of a canvas. */
export function writeGif(width, height, frames) {
  const { colours, number } = commonColours(frames.map((frame) => frame.data));
  const short = (value) => [value & 255, value >> 8];
  const parts = [[..."GIF89a"].map((c) => c.charCodeAt(0)), short(width), short(height), [0xf7, 0, 0]];
  parts.push(Array.from({ length: 256 }, (_, at) => colours[at] ?? [0, 0, 0]).flat());
  parts.push([0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((c) => c.charCodeAt(0)), 3, 1, 0, 0, 0]);
  for (const { data, ms } of frames) {
    const pixels = new Uint8Array(width * height);
    for (let at = 0; at < pixels.length; at++) pixels[at] = number(data[at * 4], data[at * 4 + 1], data[at * 4 + 2]);
    parts.push([0x21, 0xf9, 4, 4, ...short(Math.round(ms / 10)), 0, 0], [0x2c, 0, 0, 0, 0, ...short(width), ...short(height), 0], [8]);
    const bytes = lzw(pixels, 8);
    for (let at = 0; at < bytes.length; at += 255) {
      const block = bytes.slice(at, at + 255);
      parts.push([block.length], block);
    }
    parts.push([0]);
  }
  parts.push([0x3b]);
  return Uint8Array.from(parts.flat());
}
