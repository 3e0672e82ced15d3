/** A text as one word of a POSIX shell, so that nothing in it is executed. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Like `shellQuoted`, but without quotes if none are needed. For commands that people copy. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./?-]+$/.test(text) ? text : shellQuoted(text));
