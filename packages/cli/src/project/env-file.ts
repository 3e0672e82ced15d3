import type { Variable } from '@bottega/sdk';
import { shellQuoted } from '../terminal/shell.ts';
import { printable } from '../terminal/text.ts';

/** Variables as a file that a shell can source (`. ./.env`). Nothing in it is executed. */
export const asEnvFile = (variables: readonly Variable[]): string => `${variables.map(asLine).join('\n')}\n`;

function asLine({ name, value }: Variable): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `# omitted, not a valid variable name: ${printable(name)}`;
  return value === null ? `# ${name}= (secret)` : `${name}=${quotedValue(value)}`;
}

/**
 * Quotes a value for shells and, if one form works for both, also for Node and other readers of such files. These
 * readers allow no quote within single quotes, and treat backslashes within double quotes differently.
 */
function quotedValue(value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  return value.includes("'") && !/["$`\\]/.test(value) ? `"${value}"` : shellQuoted(value);
}
