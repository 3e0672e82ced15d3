/** What a workspace of the project runs: the `workspace` part of bottega.json, or else a devcontainer.json. */
export type WorkspaceFile = {
  setup: string | null;
  start: string | null;
  env: Record<string, string>;
  /** By port number. A port gets these values when a program first listens on it. */
  ports: Record<number, DeclaredPort>;
};

export type DeclaredPort = { label?: string; visibility?: 'owner' | 'members' };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
