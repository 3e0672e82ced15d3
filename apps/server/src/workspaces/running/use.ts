import type { Channel } from '../agent/channels.mjs';
import { plainWords } from '../state/index.ts';

/** A stream of these kinds counts as use for as long as it is open. */
const lasting = new Set(['run', 'wait']);
/** Opening a stream of these kinds does not count as use, because somebody, or just an open page, only looks. */
const looking = new Set(['commands', 'terminals', 'processes', 'output', 'read', 'list']);

/** Records when and by whom a workspace was last used, and whether its files are saved. */
export function createUse(createdBy: string) {
  let usedAt = Date.now();
  let open = 0;
  let userId = createdBy;
  let savedAt: Date | null = null;
  let problem: string | null = null;
  const touch = () => {
    usedAt = Date.now();
  };
  return {
    /** Counts the use of a stream that a node opened, and returns the stream. */
    counted(channel: Channel): Channel {
      const { kind } = channel.request as { kind: string };
      // A request to a port counts once a program accepts it.
      if (kind === 'dial') channel.once('control', touch);
      else if (!looking.has(kind)) touch();
      if (lasting.has(kind) || (kind === 'output' && channel.request.follow)) {
        open += 1;
        channel.on('close', () => {
          open -= 1;
          touch();
        });
      }
      // Only input counts. Output does not, because a program may write for ever although nobody uses it.
      channel.on('pipe', (source) => source.on('data', touch));
      return channel;
    },
    by(id: string): void {
      userId = id;
      touch();
    },
    touch,
    userId: () => userId,
    idleMs: () => (open > 0 ? 0 : Date.now() - usedAt),
    saved(): void {
      savedAt = new Date();
      problem = null;
    },
    refused(words: string | null): void {
      problem = words === null ? null : plainWords(words);
    },
    savedAt: () => savedAt,
    problem: () => problem,
  };
}
