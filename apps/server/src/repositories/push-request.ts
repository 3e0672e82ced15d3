import { PktLineError, readPktLines } from '../git/pkt-line.ts';
import { malformed } from '../http/app-error.ts';

/** What a client asks for one reference; null stands for "there is none". */
export type Command = { name: string; from: Buffer | null; to: Buffer | null };

export type PushRequest = {
  commands: Command[];
  capabilities: ReadonlySet<string>;
  /** The pack, as far as it has been read already, and the rest of it. */
  pack: AsyncGenerator<Buffer>;
  /** Reads what is left and throws it away: a client that is still sending does not listen. */
  drain(mostBytes: number): Promise<void>;
};

const mostCommandBytes = 4 * 1024 * 1024;
const mostCommands = 10_000;

/**
 * The commands of a push, and the pack behind them as a stream: it may be far larger than memory. A body without
 * commands is how git finds out whether it may push before it sends a large one.
 */
export async function readPushRequest(body: AsyncIterable<Buffer>): Promise<PushRequest> {
  const chunks = body[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (;;) {
    const end = endOfSection(head);
    if (end !== null) return parse(head, end, chunks);
    if (head.length > mostCommandBytes) throw malformed('The push names too many references');
    const { done, value } = await chunks.next();
    if (done) throw malformed('The push ends in the middle of its commands');
    head = Buffer.concat([head, value]);
  }
}

/** Where the flush packet ends, or null where it has not come yet. */
function endOfSection(head: Buffer): number | null {
  for (let at = 0; at + 4 <= head.length; ) {
    const digits = head.toString('latin1', at, at + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
    if (length === 0) return at + 4;
    if (length < 4) throw malformed('The body is not a push');
    at += length;
  }
  return null;
}

function parse(head: Buffer, end: number, chunks: AsyncIterator<Buffer>): PushRequest {
  const commands: Command[] = [];
  let capabilities = new Set<string>();
  for (const line of linesOf(head.subarray(0, end))) {
    // Where the client's own history ends. What it sends must fit to what is here, so that does not matter.
    if (/^shallow [0-9a-f]{40}\n?$/.test(line)) continue;
    const nul = line.indexOf('\0');
    if (nul !== -1)
      capabilities = new Set(
        line
          .slice(nul + 1)
          .trim()
          .split(' '),
      );
    commands.push(parseCommand(nul === -1 ? line : line.slice(0, nul)));
  }
  const names = new Set(commands.map(({ name }) => name));
  if (names.size < commands.length) throw malformed('The push names a reference twice');
  return {
    commands,
    capabilities,
    pack: restOf(head.subarray(end), chunks),
    async drain(mostBytes) {
      let bytes = 0;
      for (let next = await chunks.next(); !next.done && bytes <= mostBytes; next = await chunks.next()) {
        bytes += next.value.length;
      }
    },
  };
}

function linesOf(section: Buffer): string[] {
  try {
    const { lines } = readPktLines(section, 0, mostCommands);
    // Latin-1 keeps every byte until it is known which of them are a name.
    return lines.map((line) => (line === 'delim' ? '' : line.toString('latin1')));
  } catch (error) {
    throw error instanceof PktLineError ? malformed(`The push cannot be read: ${error.message}`) : error;
  }
}

function parseCommand(line: string): Command {
  const [, from, to, name] = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\n]+)\n?$/.exec(line) ?? [];
  if (!from || !to || !name) throw malformed('The push has a command that cannot be read');
  return { name: Buffer.from(name, 'latin1').toString('utf8'), from: shaOrNone(from), to: shaOrNone(to) };
}

const shaOrNone = (hex: string): Buffer | null => (/^0+$/.test(hex) ? null : Buffer.from(hex, 'hex'));

async function* restOf(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
