/** A text as one word of a POSIX shell, which nothing in it can end or have run. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same, without quotes where it needs none: for commands that people copy. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./?-]+$/.test(text) ? text : shellQuoted(text));
