import { flushPkt, pktLine } from '../objects/pkt-line.ts';
import type { Ref } from './git-store.sql.ts';

const capabilities = 'report-status delete-refs side-band-64k quiet atomic ofs-delta object-format=sha1 agent=bottega';

const noObject = '0'.repeat(40);

/** What a pushing client is told first: every reference as the database has it, and what may be asked for. */
export function advertiseForPush(refs: readonly Ref[]): Buffer {
  const lines = refs.map(({ name, sha }) => `${sha.toString('hex')} ${name}`);
  const [first = `${noObject} capabilities^{}`, ...rest] = lines;
  return Buffer.concat([
    pktLine('# service=git-receive-pack\n'),
    flushPkt,
    pktLine(`${first}\0${capabilities}\n`),
    ...rest.map((line) => pktLine(`${line}\n`)),
    flushPkt,
  ]);
}
