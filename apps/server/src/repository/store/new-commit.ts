import type { Cause } from '../../foundation/http/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { decodeCommit, encodeCommit } from '../objects/commits.ts';
import { deflateObjectAsync, hashObject } from '../objects/objects.ts';
import type { NewCommitRow } from './commits.sql.ts';
import type { HeadCommit } from './head.sql.ts';
import { type StoredObject, typeNumbers } from './objects.sql.ts';

type Actor = WritableProject['actor'];

type Parent = Pick<HeadCommit, 'sha' | 'generation'>;
type Content = { tree: Buffer; parents: readonly Parent[]; message: string; now: Date };

/**
 * A commit made through REST. Its author is the actor, or the service account that they act as. An app that acts for
 * the user is its committer.
 */
export function newCommit(
  { name, email }: Actor,
  { tree, parents: above, message, now, serviceAccount, app }: Content & Pick<Cause, 'serviceAccount' | 'app'>,
): { row: NewCommitRow; content: Buffer } {
  const user = { name, email, at: now };
  const author = serviceAccount
    ? { name: serviceAccount.name, email: `${serviceAccount.id}@service-accounts.invalid`, at: now }
    : user;
  const committer = app ? { name: app.name, email: `${app.id}@apps.invalid`, at: now } : user;
  const parents = above.map(({ sha }) => sha);
  const content = encodeCommit({ tree, parents, author, committer, message });
  const row = {
    sha: hashObject('commit', content),
    tree_sha: tree,
    parents,
    generation: Math.max(0, ...above.map(({ generation }) => generation)) + 1,
    ...committedFields(decodeCommit(content)),
  };
  return { row, content };
}

/** Trees and commits up to this size are stored uncompressed, because they are mostly hashes, which hardly compress. */
const storedUpTo = 4096;

export async function asObject(type: keyof typeof typeNumbers, sha: Buffer, content: Buffer): Promise<StoredObject> {
  return {
    sha,
    type: typeNumbers[type],
    size: content.length,
    deflated: await deflateObjectAsync(content, storedUpTo),
    checksum: null,
  };
}

/** The columns of a commit. PostgreSQL text cannot contain NUL; the object itself keeps every byte. */
export function committedFields({ author, committer, message }: ReturnType<typeof decodeCommit>) {
  return {
    author_name: printable(author.name),
    author_email: printable(author.email),
    committed_at: committer.at,
    // Git ends every message with a line break, which is not part of the text.
    message: withoutLineBreaksAtEnd(printable(message)),
  };
}

/** A loop, because a regular expression would scan a long run of line breaks once per line break. */
function withoutLineBreaksAtEnd(text: string): string {
  let length = text.length;
  while (text[length - 1] === '\n') length--;
  return text.slice(0, length);
}

const printable = (text: string): string => text.replaceAll('\0', '\ufffd');
