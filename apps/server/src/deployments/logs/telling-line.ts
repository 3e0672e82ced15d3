// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes of terminals begin with one.
const colours = /\u001b\[[0-9;]*m/g;
const longest = 500;

/** Lines that tools print about themselves after the actual error. A program chooses its lines, so nothing is read twice. */
const chatter = /^(npm |yarn |error Command failed|Node\.js v\d|[\^~]+$)/i;
const named = /(error|exception|fatal|panic)\b/i;

/**
 * The line of standard error that a person would quote: the last one that mentions an error, or otherwise the last one.
 */
export function tellingLine(lines: readonly string[]): string | null {
  const plain = lines.map((line) => line.replaceAll(colours, '').trimEnd()).filter((line) => line.trim() !== '');
  const said = plain.filter((line) => !isChatter(line));
  const line = said.findLast((one) => named.test(one)) ?? said.at(-1) ?? plain.at(-1);
  // PostgreSQL does not store half of a surrogate pair in JSON.
  return line?.trim().slice(0, longest).toWellFormed() ?? null;
}

function isChatter(line: string): boolean {
  const text = line.trimStart();
  const isInStack = text.length < line.length && text.startsWith('at ');
  return isInStack || chatter.test(text);
}
