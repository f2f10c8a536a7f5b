// node unpack_chromium.mjs FOLDER: npm's Chromium out of its package, into FOLDER/unpacked.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

const [, , folder] = process.argv;
const packed = `${folder}/node_modules/chrome-aws-lambda/bin`;
const unpacked = `${folder}/unpacked`;
mkdirSync(unpacked, { recursive: true });
for (const name of readdirSync(packed)) {
  const file = `${unpacked}/${name.replace(/\.br$/, "")}`;
  writeFileSync(file, brotliDecompressSync(readFileSync(`${packed}/${name}`)));
  if (file.endsWith(".tar"))
    execFileSync("tar", ["--extract", "--no-same-owner", "--file", file, "--directory", unpacked]);
}
chmodSync(`${unpacked}/chromium`, 0o755);
