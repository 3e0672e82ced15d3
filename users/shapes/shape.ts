/** Settings of the service, as its environment has them. */
export type Settings = Record<string, string>;

/** How an operator runs commands of this installation. */
export type Operator = {
  /** The words before `backup` or `doctor`. */
  command: readonly string[];
  /** The same words for a second installation on this machine, whose settings are not those of `env`. */
  elsewhere: readonly string[];
  /** Commands and stories reach files in this folder by the same path. */
  folder: string;
  cwd: string;
  env: Settings;
};

/** A service that runs, and what its first start told the operator. */
export type Running = {
  url: string;
  /** Every node of it, as clients reach it; one where there is one. The first is that of `url`. */
  nodes: readonly string[];
  /** Whether its nodes tell each other by Redis. */
  hasRedis: boolean;
  admin: { email: string; password: string; key: string };
  operator: Operator;
  stop(): Promise<void>;
};

/** One way in which users run Bottega: from a clone, as a package, as an image. Each start has data of its own. */
export type Shape = {
  name: string;
  /** What this machine lacks for it, in words. Null: nothing. */
  lacks?(): string | null;
  start(settings?: Settings): Promise<Running>;
};
