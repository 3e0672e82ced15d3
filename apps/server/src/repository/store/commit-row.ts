import type { decodeCommit } from '../objects/commits.ts';

/** What of a commit is kept as columns. Text in PostgreSQL cannot hold NUL; the object itself keeps every byte. */
export function committedFields({ author, committer, message }: ReturnType<typeof decodeCommit>) {
  return {
    author_name: printable(author.name),
    author_email: printable(author.email),
    committed_at: committer.at,
    // Git ends every message with a line break, which is no part of what was said.
    message: withoutLineBreaksAtEnd(printable(message)),
  };
}

/** By hand, since an expression would look at a long run of them in the middle once per line break. */
function withoutLineBreaksAtEnd(text: string): string {
  let length = text.length;
  while (text[length - 1] === '\n') length--;
  return text.slice(0, length);
}

const printable = (text: string): string => text.replaceAll('\0', '\ufffd');
