import type { Ground } from '../clients/index.ts';
import type { Cluster, Site } from '../cluster/index.ts';
import type { Random } from '../random.ts';

export type Place<Where extends Site = Cluster> = { cluster: Where; ground: Ground; random: Random };

export type Fault<Where extends Site = Cluster> = {
  /** The name on the command line and in the report. */
  name: string;
  /** How long it lasts. 0: it is over at once. */
  seconds: number;
  /** Breaks something, and returns the function that repairs it. */
  inject(place: Place<Where>): Promise<Heal>;
};

export type Heal = () => Promise<void>;

export const nothingToMend: Heal = async () => undefined;
