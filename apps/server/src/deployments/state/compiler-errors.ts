/** The place in the source that a compiler complained about. */
export type SourceError = {
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  code: string | null;
};

type Groups = Record<string, string | undefined>;

/**
 * Formats of common compilers, the most specific first. `file`, `line`, `column`, `code` and `message` are groups.
 *
 * A build can print anything. So each pattern begins at the start of a line, white space and numbers are bounded, and
 * only a message is unbounded. No line is scanned more often than a pattern has unbounded parts.
 */
const forms: RegExp[] = [
  // TypeScript: src/a.ts(3,5): error TS2322: …, and src/a.ts:3:5 - error TS2322: …
  /^(?<file>[^\s(]+)\((?<line>\d{1,9}),(?<column>\d{1,9})\): error (?<code>TS\d{1,9}): (?<message>.+)$/m,
  /^(?<file>[^\s:]+):(?<line>\d{1,9}):(?<column>\d{1,9}) - error (?<code>TS\d{1,9}): (?<message>.+)$/m,
  // Rust: error[E0308]: mismatched types, and the place in the next line.
  /^error(?:\[(?<code>E\d{1,9})\])?: (?<message>.+)\n {0,40}--> (?<file>[^\s:]+):(?<line>\d{1,9}):(?<column>\d{1,9})/m,
  // esbuild and Vite: src/a.ts:3:5: ERROR: …, and ✘ [ERROR] … with the place below.
  /^[ \t]{0,40}(?<file>[^\s:]+):(?<line>\d{1,9}):(?<column>\d{1,9}): ERROR: (?<message>.+)$/m,
  /^[^[\n]{0,40}\[ERROR\] (?<message>.+)\n\n[ \t]{1,40}(?<file>[^\s:]+):(?<line>\d{1,9}):(?<column>\d{1,9}):/m,
  // C, C++, Swift, Java: a.c:3:5: error: …
  /^(?<file>[^\s:]+):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?:fatal )?error: (?<message>.+?)(?: \[(?<code>[\w-]{1,80})\])?$/m,
  // Babel and Parcel: SyntaxError: /workspace/a.js: … (3:5)
  /^(?<code>\w{0,80}Error): (?<file>\/[^\s:]+): (?<message>.+?) \((?<line>\d{1,9}):(?<column>\d{1,9})\)/m,
  // Python: the last frame, then the error.
  /^ {0,8}File "(?<file>[^"\n]+)", line (?<line>\d{1,9})[^\n]*\n(?:(?! {2}File )[^\n]*\n){0,20}?(?<code>\w{1,80}(?:Error|Exception)): (?<message>.+)/m,
  // Node: /workspace/a.js:3, the line, a marker, and the error.
  /^(?:file:\/\/)?(?<file>\/[^\s:]+):(?<line>\d{1,9})\n[^\n]*\n(?<column>[ \t]*)\^[^\n]*\n{1,3}(?<code>\w{0,80}Error)(?: \[\w{1,80}\])?: (?<message>.+)/m,
  // Go: ./main.go:3:5: …
  /^(?<file>\.?[^\s:]+\.go):(?<line>\d{1,9}):(?<column>\d{1,9}): (?<message>.+)$/m,
];

const maxLines = 400;
const longestLine = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes of terminals begin with one.
const colours = /\u001b\[[0-9;]*m/g;

/** Searches the last lines of a build's output. Null if no known format matches. */
export function findSourceError(lines: readonly string[]): SourceError | null {
  const text = lines
    .slice(-maxLines)
    .map((line) =>
      line
        .slice(0, 2 * longestLine)
        .replaceAll(colours, '')
        .slice(0, longestLine)
        .toWellFormed(),
    )
    .join('\n');
  for (const form of forms) {
    const groups: Groups | undefined = form.exec(text)?.groups;
    if (groups) return asSourceError(groups);
  }
  return null;
}

/** The location if it is in a file of the project itself. Other files cannot be opened. */
export function placeOf(
  error: SourceError | null,
): { file: string; line: number | null; column: number | null } | null {
  const file = error?.file ?? null;
  if (!error || file === null || /^(\/|\.\.|node:)|(^|\/)node_modules\//.test(file)) return null;
  return { file, line: error.line, column: error.column };
}

function asSourceError({ file, line, column, code, message }: Groups): SourceError {
  return {
    message: (message ?? '').trim(),
    file: file?.replace(/^\/workspace\//, '').replace(/^\.\//, '') ?? null,
    line: line === undefined ? null : Number(line),
    // Node marks the column with white space.
    column: column === undefined ? null : column.trim() === '' ? column.length + 1 : Number(column),
    code: code ?? null,
  };
}
