import type { Ground } from '../clients/index.ts';
import type { Cluster, Site } from '../cluster/index.ts';
import type { Random } from '../random.ts';

export type Place<Where extends Site = Cluster> = { cluster: Where; ground: Ground; random: Random };

export type Fault<Where extends Site = Cluster> = {
  /** For the command line and the report. */
  name: string;
  /** How long it stays. 0: it is over at once. */
  seconds: number;
  /** Breaks something, and gives what mends it. */
  inject(place: Place<Where>): Promise<Heal>;
};

export type Heal = () => Promise<void>;

export const nothingToMend: Heal = async () => undefined;
