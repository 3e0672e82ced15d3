export { Bottega } from './client.ts';
export { BottegaError, type ClientErrorCode, type FieldError } from './errors.ts';
export type { FileContent, Files, FileToWrite, WriteOptions } from './files.ts';
export type * from './generated/events.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { List } from './list.ts';
export type { Attempt, CallOptions, ClientOptions, Token } from './options.ts';
