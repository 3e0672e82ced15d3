import { randomBytes } from 'node:crypto';
import type { Nudge } from '../webhooks/index.ts';

/** Messages between nodes. */
export type Nodes = { tell(nudge: Nudge): void; hear(listener: (nudge: string) => void): void };

/** `downloads` means that file downloads are wanted too. They become events only if somebody wants them. */
export type Following = 'nobody' | 'somebody' | 'downloads';

/** Interval at which a node repeats that somebody follows, and how long the others believe it. */
const saidEveryMs = 10_000;
const believedMs = 30_000;

type Options = {
  nodes: Nodes;
  /** Called when another node has committed events. */
  onNews(): void;
};

/**
 * A follower wants events of other nodes at once. A node with followers says so, and for a while the others nudge it
 * after their commits. A node without followers sends nothing.
 */
export function createFarFollowers({ nodes, onNews }: Options) {
  const ownName = randomBytes(6).toString('hex');
  const believedUntil = { somebody: 0, downloads: 0 };
  let here: Following = 'nobody';
  let saying: NodeJS.Timeout | undefined;
  const say = () => nodes.tell(`following ${ownName} ${here}`);
  nodes.hear((nudge) => {
    if (nudge === 'followed') return onNews();
    const [, name, what] = /^following (\w+) (\w+)$/.exec(nudge) ?? [];
    if (name === undefined || name === ownName) return;
    believedUntil.somebody = Date.now() + believedMs;
    if (what === 'downloads') believedUntil.downloads = believedUntil.somebody;
  });
  return {
    /** Call this if the followed events may have changed. */
    follow(following: Following) {
      if (following === here) return;
      here = following;
      clearInterval(saying);
      if (here === 'nobody') return;
      say();
      saying = setInterval(say, saidEveryMs);
    },
    /** Call this after this process has committed events. */
    committed() {
      if (Date.now() < believedUntil.somebody) nodes.tell('followed');
    },
    followsDownloads: () => here === 'downloads' || Date.now() < believedUntil.downloads,
  };
}
