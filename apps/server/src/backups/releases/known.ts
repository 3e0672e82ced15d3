/** What somebody knows of a service that was filled: enough to find out whether all of it is still there. */
export type Known = {
  ada: Account;
  /** With a second factor, and a collaborator of Ada's. */
  bob: Account & { totp_secret: string; recovery_code: string };
  /** Whose machine signs JWTs for Ada. */
  service: { issuer: string; secret: string };
  app: { client_id: string; client_secret: string };
  site: Repository & { id: string; deployments: { id: string; environment: string }[] };
  invited: string;
  /** As an authenticated clone sees it: files that REST does not show, such as links, too. */
  made_from_template: { id: string; files: Checksums };
  without_history: { id: string; files: Checksums };
  deleted_project: string;
  template: { id: string; files: number };
  webhook: { id: string; secret: string; made: string[]; failed: string[] };
  session: { id: string; comments: string[] };
  /** How much of each there is in the audit log of Ada, by action. */
  audit: Record<string, number>;
};

type Account = { id: string; email: string; password: string; key: string };
/** Of contents, by path. */
export type Checksums = Record<string, string>;
export type Repository = { files: Checksums; refs: Record<string, string>; commits: string[] };
