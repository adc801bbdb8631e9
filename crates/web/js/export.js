// Saves what is shown: a position as SVG or PNG, a game as GIF.
import { svgEl } from "./el.js";
import { drawBoard, measureFrame } from "./picture.js";
import { writeGif } from "./gif.js";

/** Is the page dark now? */
export function isDark() {
  const root = document.documentElement.classList;
  return root.contains("dark") || (!root.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** A frame as the text of an SVG file that needs nothing else. */
export function svgText(frame, book, options) {
  const size = options.size ?? measureFrame(frame, book, { ...options, captions: true });
  const svg = drawBoard(frame, book, { ...options, size, captions: true, lit: null, onPick: null });
  svg.querySelectorAll(".hit").forEach((cell) => cell.remove());
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("class", isDark() ? "dark" : "light");
  const page = svgEl("rect", { class: "page", x: 0.5, y: 0.5, width: size[0] - 1, height: size[1] - 1, rx: 8 });
  svg.prepend(svgEl("style", {}, document.getElementById("board-style").textContent), page);
  return new XMLSerializer().serializeToString(svg);
}

async function painted(text, [width, height], scale) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = isDark() ? "#15181d" : "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return { canvas, context };
}

/** The name of a file with a game, whatever the name of the match is. */
export function fileName(game, match) {
  return `${game}-${match}`.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "").slice(0, 60);
}

/** Hands a file to the reader. */
export function saveFile(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function saveSvg(name, frame, book, options) {
  saveFile(`${name}.svg`, [svgText(frame, book, options)], "image/svg+xml");
}

export async function savePng(name, frame, book, options) {
  const size = options.size ?? measureFrame(frame, book, { ...options, captions: true });
  const { canvas } = await painted(svgText(frame, book, { ...options, size }), size, 2);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  saveFile(`${name}.png`, [blob], "image/png");
}

const MOST_GIF_FRAMES = 300;

/** The bytes of a GIF of these frames. `tell` hears how much is done, from 0 to 1. */
export async function gifBytes(frames, book, options, tell = () => {}) {
  const sizes = frames.map((frame) => measureFrame(frame, book, { ...options, captions: true }));
  const size = [0, 1].map((at) => Math.max(...sizes.map((one) => one[at])));
  const every = Math.ceil(frames.length / MOST_GIF_FRAMES);
  const pictures = [];
  for (let at = 0; at < frames.length; at++) {
    const isLast = at === frames.length - 1;
    if (at % every !== 0 && !isLast) continue;
    const { canvas, context } = await painted(svgText(frames[at], book, { ...options, size }), size, 1);
    pictures.push({ data: context.getImageData(0, 0, canvas.width, canvas.height).data, ms: isLast ? 3000 : 700 });
    tell((at + 1) / frames.length);
  }
  return writeGif(Math.round(size[0]), Math.round(size[1]), pictures);
}
