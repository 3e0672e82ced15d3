/** Settings of the service, as its environment has them. */
export type Settings = Record<string, string>;

/** How an operator runs a command of this installation: the words before `backup` or `doctor`, and what they need around them. */
export type Operator = { command: readonly string[]; cwd: string; env: Settings };

/** A service that runs, and what its first start told the operator. */
export type Running = {
  url: string;
  /** Every node of it, as clients reach it; one where there is one. */
  nodes: readonly string[];
  /** Whether its nodes tell each other by Redis. */
  hasRedis: boolean;
  admin: { email: string; password: string; key: string };
  operator: Operator;
  stop(): Promise<void>;
};

/** One way in which users run Bottega: from a clone, as a package, as an image. Each start has data of its own. */
export type Shape = { name: string; start(settings?: Settings): Promise<Running> };
