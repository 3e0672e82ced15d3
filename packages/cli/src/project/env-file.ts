import type { Variable } from '@bottega/sdk';
import { shellQuoted } from '../terminal/shell.ts';
import { printable } from '../terminal/text.ts';

/** Variables as a file that a shell can be given (`. ./.env`) and that nothing in it has run. */
export const asEnvFile = (variables: readonly Variable[]): string => `${variables.map(asLine).join('\n')}\n`;

function asLine({ name, value }: Variable): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `# omitted, not a valid variable name: ${printable(name)}`;
  return value === null ? `# ${name}= (secret)` : `${name}=${quotedValue(value)}`;
}

/**
 * As shells read it, and where that can be said in one way for both, also as Node and others do that read such files: they
 * know no quote within single quotes, and take backslashes within double quotes for something else.
 */
function quotedValue(value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  return value.includes("'") && !/["$`\\]/.test(value) ? `"${value}"` : shellQuoted(value);
}
