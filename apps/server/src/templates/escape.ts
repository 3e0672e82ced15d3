/**
 * Escapes a value so that the file stays valid. The method depends on the file's extension: in code, a placeholder is
 * inside a string or a comment, and in HTML it is inside text or an attribute's value.
 */
type Escape = (value: string) => string;

const hex = (sign: string, digits: number): string => sign.charCodeAt(0).toString(16).padStart(digits, '0');

/** For double-quoted strings in JSON, and also in YAML and TOML, which have the same escapes. */
const json: Escape = (value) => JSON.stringify(value).slice(1, -1);

/** For strings in any of the three quotes and for both kinds of comments. The script may be inside an HTML page. */
const script: Escape = (value) =>
  value
    .replaceAll(/[\\'"`$]/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll(/[\u2028\u2029]/g, (sign) => `\\u${hex(sign, 4)}`)
    .replaceAll('*/', '*\\/')
    .replaceAll('</', '<\\/')
    .replaceAll('<!--', '<\\!--');

const python: Escape = (value) =>
  value
    .replaceAll(/[\\'"]/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const html: Escape = (value) => value.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const css: Escape = (value) => value.replaceAll(/[\\"'<>*/\r\n]/g, (sign) => `\\${hex(sign, 1)} `);

/** For plain text that must not become markup. An underscore inside a word has no meaning. */
const markdown: Escape = (value) =>
  value
    .replaceAll(/[\\`*[\]<>|~#]/g, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;');

/** For double-quoted strings. */
const shell: Escape = (value) => value.replaceAll(/[\\"$`]/g, '\\$&');

const byEnding: Record<string, Escape> = {
  ...each(['json', 'jsonc', 'webmanifest', 'yaml', 'yml', 'toml'], json),
  // Languages with double-quoted strings and backslash escapes.
  ...each(['c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'go', 'java', 'rs', 'swift', 'scala'], json),
  ...each(['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx'], script),
  ...each(['py', 'pyi'], python),
  ...each(['html', 'htm', 'xhtml', 'svg', 'xml', 'vue', 'svelte'], html),
  ...each(['css', 'scss', 'less'], css),
  ...each(['md', 'markdown'], markdown),
  ...each(['sh', 'bash', 'zsh'], shell),
};

function each(endings: string[], way: Escape): Record<string, Escape> {
  return Object.fromEntries(endings.map((ending) => [ending, way]));
}

/** All other files are plain text. */
export function escapeFor(path: string): Escape {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(byEnding, ending) && byEnding[ending]) || ((value) => value);
}
