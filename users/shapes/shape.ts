/** Settings of the service, as its environment has them. */
export type Settings = Record<string, string>;

/** A service that runs, and what its first start told the operator. */
export type Running = {
  url: string;
  /** Where deployed sites are served; unknown where the shape cannot tell. */
  appsUrl?: string;
  admin: { email: string; password: string; key: string };
  stop(): Promise<void>;
};

/** One way in which users run Bottega: from a clone, as a package, as an image. Each start has data of its own. */
export type Shape = { name: string; start(settings?: Settings): Promise<Running> };
