/** Settings of the service, as environment variables. */
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

/** A running service, and what its first start told the operator. */
export type Running = {
  url: string;
  /** The URLs of all nodes for clients. The first is `url`. */
  nodes: readonly string[];
  /** Whether its nodes notify each other by Redis. */
  hasRedis: boolean;
  admin: { email: string; password: string; key: string };
  operator: Operator;
  stop(): Promise<void>;
};

/** One way in which users run Bottega: from a clone, as a package, as an image. Each start has its own data. */
export type Shape = {
  name: string;
  /** What this machine lacks for it, as a sentence. Null: nothing. */
  lacks?(): string | null;
  start(settings?: Settings): Promise<Running>;
};
