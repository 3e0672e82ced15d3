import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import { malformed } from '../../foundation/http/index.ts';
import { PktLineError, type PktReader, readPktLines } from '../objects/pkt-line.ts';
import type { RefUpdate } from '../store/index.ts';

export type PushRequest = {
  commands: RefUpdate[];
  capabilities: ReadonlySet<string>;
  /** What the client sent with `-o`, by name. An option without a value is empty. */
  options: ReadonlyMap<string, string>;
  /** The pack: the part that was already read, followed by the rest. */
  pack: AsyncGenerator<Buffer>;
  /** Reads and discards the rest, because a client that is still sending does not read the response. */
  drain(maxBytes: number): Promise<void>;
};

/** Limits of the commands and of everything else before the pack. */
const maxPackets = 10_000;
const maxCommandBytes = 4 * 1024 * 1024;
const longestMs = 60_000;

/**
 * The commands of a push, and the pack after them as a stream, because it may be far larger than memory. Before a large
 * push, git sends a body without commands to find out whether it may push.
 */
export async function readPushRequest(body: AsyncIterable<Buffer>): Promise<PushRequest> {
  const packets = readPktLines(body);
  const budget = createBudget({
    name: 'push commands',
    entries: maxPackets,
    bytes: maxCommandBytes,
    ms: longestMs,
    message: `A push can name at most ${maxPackets} references and must send them within a minute`,
  });
  const commands = new Map<string, RefUpdate>();
  let capabilities = new Set<string>();
  for (let line = await nextLine(packets, budget); line !== null; line = await nextLine(packets, budget)) {
    // The boundary of a shallow clone. It is ignored, because the sent objects must connect to those that are stored
    // here anyway.
    if (/^shallow [0-9a-f]{40}\n?$/.test(line)) continue;
    const nul = line.indexOf('\0');
    if (nul !== -1)
      capabilities = new Set(
        line
          .slice(nul + 1)
          .trim()
          .split(' '),
      );
    const command = parseCommand(nul === -1 ? line : line.slice(0, nul));
    if (commands.has(command.name)) throw malformed('The push lists a reference twice');
    commands.set(command.name, command);
  }
  const options = capabilities.has('push-options') ? await readOptions(packets, budget) : new Map();
  const pack = packets.rest();
  return {
    commands: [...commands.values()],
    capabilities,
    options,
    pack,
    async drain(maxBytes) {
      let bytes = 0;
      for await (const chunk of packets.rest()) {
        bytes += chunk.length;
        if (bytes > maxBytes) return;
      }
    },
  };
}

async function readOptions(packets: PktReader, budget: Budget): Promise<Map<string, string>> {
  const options = new Map<string, string>();
  for (let line = await nextLine(packets, budget); line !== null; line = await nextLine(packets, budget)) {
    const text = Buffer.from(line, 'latin1').toString('utf8').replace(/\n$/, '');
    const [, name = text, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    options.set(name, value);
  }
  return options;
}

/** The next command. Null after the last one. Every packet counts, even an empty one. */
async function nextLine(packets: PktReader, budget: Budget): Promise<string | null> {
  try {
    const line = await packets.next();
    if (line === 'flush') return null;
    if (line === 'end') throw malformed('The push ends in the middle of its commands');
    budget.spend({ entries: 1, bytes: line.length });
    await budget.maybeYield();
    // Latin-1 preserves every byte until the name is separated.
    return line === 'delim' ? '' : line.toString('latin1');
  } catch (error) {
    throw error instanceof PktLineError ? malformed(`The push cannot be read: ${error.message}`) : error;
  }
}

function parseCommand(line: string): RefUpdate {
  const [, from, to, name] = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\n]+)\n?$/.exec(line) ?? [];
  if (!from || !to || !name) throw malformed('The push has a command that cannot be read');
  return { name: Buffer.from(name, 'latin1').toString('utf8'), from: shaOrNone(from), to: shaOrNone(to) };
}

const shaOrNone = (hex: string): Buffer | null => (/^0+$/.test(hex) ? null : Buffer.from(hex, 'hex'));
