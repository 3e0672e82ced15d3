import { isOfService } from '../objects/ref-names.ts';
import type { Ref } from '../store/index.ts';

const capabilities =
  'report-status delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1 agent=bottega';

const noObject = '0'.repeat(40);

/**
 * The first response to a pushing client: all references from the database, and the capabilities. It is one text that
 * is encoded once, because there may be thousands of lines.
 */
export function advertiseForPush(refs: readonly Ref[]): Buffer {
  return Buffer.from(`${asPacket('# service=git-receive-pack\n')}0000${refsForPush(refs)}`);
}

/**
 * The references for a push. Without HTTP, this is the whole response, because no line names the service. The service's
 * own references are left out, because nobody can push to them, and every push would have to receive their many names.
 */
export function refsForPush(all: readonly Pick<Ref, 'name' | 'sha'>[]): string {
  const refs = all.filter(({ name }) => !isOfService(name));
  const lines = refs.map(({ name, sha }) => `${sha.toString('hex')} ${name}`);
  const [first = `${noObject} capabilities^{}`, ...rest] = lines;
  const packets = [`${first}\0${capabilities}\n`, ...rest.map((line) => `${line}\n`)].map(asPacket);
  return `${packets.join('')}0000`;
}

const asPacket = (line: string): string => `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}`;
