/** Where in the source a compiler found what it did not like. */
export type SourceError = {
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  code: string | null;
};

type Groups = Record<string, string | undefined>;

/** What the common compilers print, the most telling first. `file`, `line`, `column`, `code`, `message` are groups. */
const forms: RegExp[] = [
  // TypeScript: src/a.ts(3,5): error TS2322: …, and src/a.ts:3:5 - error TS2322: …
  /^(?<file>[^\s(]+)\((?<line>\d+),(?<column>\d+)\): error (?<code>TS\d+): (?<message>.+)$/m,
  /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) - error (?<code>TS\d+): (?<message>.+)$/m,
  // Rust: error[E0308]: mismatched types, and the place in the next line.
  /^error(?:\[(?<code>E\d+)\])?: (?<message>.+)\n\s*--> (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)/m,
  // esbuild and Vite: src/a.ts:3:5: ERROR: …, and ✘ [ERROR] … with the place below.
  /^\s*(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): ERROR: (?<message>.+)$/m,
  /\[ERROR\] (?<message>.+)\n\n\s+(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+):/m,
  // C, C++, Swift, Java: a.c:3:5: error: …
  /^(?<file>[^\s:]+):(?<line>\d+):(?:(?<column>\d+):)? (?:fatal )?error: (?<message>.+?)(?: \[(?<code>[\w-]+)\])?$/m,
  // Babel and Parcel: SyntaxError: /workspace/a.js: … (3:5)
  /^(?<code>\w*Error): (?<file>\/[^\s:]+): (?<message>.+?) \((?<line>\d+):(?<column>\d+)\)/m,
  // Python: the last frame, then the error.
  /File "(?<file>[^"]+)", line (?<line>\d+)[^\n]*\n(?:(?! {2}File )[^\n]*\n)*?(?<code>\w+(?:Error|Exception)): (?<message>.+)/m,
  // Node: /workspace/a.js:3, the line, a marker, and the error.
  /^(?:file:\/\/)?(?<file>\/[^\s:]+):(?<line>\d+)\n[^\n]*\n(?<column>\s*)\^+[^\n]*\n\s*(?<code>\w*Error)(?: \[\w+\])?: (?<message>.+)/m,
  // Go: ./main.go:3:5: …
  /^(?<file>\.?[^\s:]+\.go):(?<line>\d+):(?<column>\d+): (?<message>.+)$/m,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: what colours a terminal begins with one.
const colours = /\u001b\[[0-9;]*m/g;

/** From the last lines of a build's output; null where none of them is of a form that we know. */
export function findSourceError(lines: readonly string[]): SourceError | null {
  const text = lines.join('\n').replaceAll(colours, '');
  for (const form of forms) {
    const groups: Groups | undefined = form.exec(text)?.groups;
    if (groups) return asSourceError(groups);
  }
  return null;
}

function asSourceError({ file, line, column, code, message }: Groups): SourceError {
  return {
    message: (message ?? '').trim().slice(0, 1_000),
    file: file?.replace(/^\/workspace\//, '').replace(/^\.\//, '') ?? null,
    line: line === undefined ? null : Number(line),
    // Node marks the column by white space.
    column: column === undefined ? null : /^\s*$/.test(column) ? column.length + 1 : Number(column),
    code: code ?? null,
  };
}
