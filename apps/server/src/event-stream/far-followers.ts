import { randomBytes } from 'node:crypto';
import type { Nudges } from '../foundation/cluster/nudges.ts';

/** `downloads`: those of files are wanted too, which are events only where somebody wants them. */
export type Following = 'nobody' | 'somebody' | 'downloads';

/** Said again so often, and believed for so long. */
const saidEveryMs = 10_000;
const believedMs = 30_000;

type Options = {
  nudges: Pick<Nudges, 'tell' | 'hear'>;
  /** Another node has committed events. */
  onNews(): void;
};

/**
 * Who follows events here wants those of other nodes too, at once. So a node on which somebody follows says so, and the
 * others nudge it after their commits, for a while. Where nobody follows, nobody says anything.
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
    /** What is followed here, whenever that may have changed. */
    follow(following: Following) {
      if (following === here) return;
      here = following;
      clearInterval(saying);
      if (here === 'nobody') return;
      say();
      saying = setInterval(say, saidEveryMs);
    },
    /** This process has committed events. */
    committed() {
      if (Date.now() < believedUntil.somebody) nudges.tell('followed');
    },
    followsDownloads: () => here === 'downloads' || Date.now() < believedUntil.downloads,
  };
}
