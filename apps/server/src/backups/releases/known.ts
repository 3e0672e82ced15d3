/** What a test knows about the sample data in a service: enough to check that all of it is still there. */
export type Known = {
  ada: Account;
  /** Has a second factor, and is a collaborator of Ada's. */
  bob: Account & { totp_secret: string; recovery_code: string };
  /** The service that signs JWTs for Ada. */
  service: { issuer: string; secret: string };
  app: { client_id: string; client_secret: string };
  site: Repository & { id: string; deployments: { id: string; environment: string }[] };
  invited: string;
  /** The files of an authenticated clone, including those that REST does not show, such as links. */
  made_from_template: { id: string; files: Checksums };
  without_history: { id: string; files: Checksums };
  deleted_project: string;
  template: { id: string; files: number };
  webhook: { id: string; secret: string; made: string[]; failed: string[] };
  session: { id: string; comments: string[] };
  /** The number of entries in Ada's audit log, by action. */
  audit: Record<string, number>;
};

type Account = { id: string; email: string; password: string; key: string };
/** Checksums of contents, by path. */
export type Checksums = Record<string, string>;
export type Repository = { files: Checksums; refs: Record<string, string>; commits: string[] };
