import { randomBytes } from 'node:crypto';
import type { Nudges } from '../foundation/cluster/nudges.ts';

/**
 * Whether a node has clients that follow events. `downloads` means that a client also wants events about file
 * downloads, which are created only on demand.
 */
export type Following = 'nobody' | 'somebody' | 'downloads';

/** Interval at which a node repeats that it has followers, and how long the other nodes rely on it, in milliseconds. */
const saidEveryMs = 10_000;
const believedMs = 30_000;

type Options = {
  nudges: Pick<Nudges, 'tell' | 'hear'>;
  /** Called when another node has committed events. */
  onNews(): void;
};

/**
 * Tells other nodes about followers. A follower needs events of other nodes immediately. So a node with followers
 * announces this, and for a while the others nudge it after their commits. A node without followers sends nothing.
 */
export function createFarFollowers({ nudges, onNews }: Options) {
  const ownName = randomBytes(6).toString('hex');
  const believedUntil = { somebody: 0, downloads: 0 };
  let here: Following = 'nobody';
  let saying: NodeJS.Timeout | undefined;
  const say = () => nudges.tell(`following ${ownName} ${here}`);
  nudges.hear((nudge = '') => {
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
      if (Date.now() < believedUntil.somebody) nudges.tell('followed');
    },
    followsDownloads: () => here === 'downloads' || Date.now() < believedUntil.downloads,
  };
}
