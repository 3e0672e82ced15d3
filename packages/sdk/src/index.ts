import { sign, verify } from './webhooks.ts';

export type { CheckIds, Checks } from './checks.ts';
export { Bottega } from './client.ts';
export type { DeploymentIds, Deployments } from './deployments.ts';
export { BottegaError, type ClientErrorCode, type FieldError } from './errors.ts';
export type { EventFilter, EventFormat, EventPage, Events, Subscription } from './events.ts';
export type { FileContent, Files, FileToWrite, WriteOptions } from './files.ts';
export type * from './generated/events.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { List } from './list.ts';
export type { LogOptions } from './logs.ts';
export type { Attempt, CallOptions, ClientOptions, Token } from './options.ts';
export type { JoinOptions, Sessions } from './sessions.ts';
export type { SignOptions, VerifyOptions, WebhookEvent, WebhookHeaders } from './webhooks.ts';
export type { OutputPiece, WorkspaceIds, Workspaces } from './workspaces.ts';

/** The same as the entry `@bottega/sdk/webhooks`. */
export const webhooks = { sign, verify };
