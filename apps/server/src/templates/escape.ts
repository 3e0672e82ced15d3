/**
 * How a value is written into a file so that the file stays what it is. By the ending of its name: in code a
 * placeholder stands inside a string (or a comment), in a page in text or in an attribute's value.
 */
type Escape = (value: string) => string;

const hex = (sign: string, digits: number): string => sign.charCodeAt(0).toString(16).padStart(digits, '0');

/** Inside double quotes; also of YAML and TOML, whose escapes are the same as far as these go. */
const json: Escape = (value) => JSON.stringify(value).slice(1, -1);

/** Inside quotes of any of the three kinds, and inside a comment of either. A page may hold the script. */
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

/** Text, whatever it has in it: nothing of it is markup. An underscore within a word is none. */
const markdown: Escape = (value) =>
  value
    .replaceAll(/[\\`*[\]<>|~#]/g, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;');

/** Inside double quotes. */
const shell: Escape = (value) => value.replaceAll(/[\\"$`]/g, '\\$&');

const byEnding: Record<string, Escape> = {
  ...each(['json', 'jsonc', 'webmanifest', 'yaml', 'yml', 'toml'], json),
  // Strings in double quotes with a backslash before what has a meaning there.
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

/** Anything else is plain text. */
export function escapeFor(path: string): Escape {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(byEnding, ending) && byEnding[ending]) || ((value) => value);
}
