import { setTimeout as delay } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { ObjectMissingError, ObjectStoreError } from './object-store.ts';

export type S3Settings = {
  /** Null: that of AWS. */
  endpoint: string | null;
  region: string | null;
  /** For how long a store that does not answer is asked again. */
  patienceMs?: number;
  /** For how long one that was asked may say nothing. */
  timeoutMs?: number;
};

export type S3Place = { bucket: string; prefix: string };

/** `s3://bucket`, `s3://bucket/prefix`; the end of a prefix may have its slash or not. */
export function parseS3Address(address: string): S3Place {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new ObjectStoreError(`${address} is not an address such as s3://bucket/prefix`);
  const plain = prefix.replaceAll(/^\/+|\/+$/g, '');
  return { bucket, prefix: plain === '' ? '' : `${plain}/` };
}

/** Credentials are found by Amazon's own library: `AWS_*`, profiles, the role of the machine. It is loaded by whoever needs it. */
export async function connect({
  endpoint,
  region,
  timeoutMs = 60_000,
}: S3Settings): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...((region ?? endpoint) && { region: region ?? 'us-east-1' }),
    // Other stores than Amazon's do not know the checksums that it would add by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: Math.min(timeoutMs, 10_000), socketTimeout: timeoutMs },
  });
  return { sdk, client };
}

export type Sdk = typeof import('@aws-sdk/client-s3');

const firstPauseMs = 500;
const longestPauseMs = 20_000;

/** Again and again, with longer and longer pauses, while the network or the store is away. The library's own tries are counted in seconds. */
export async function persistently<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || Date.now() + pauseMs > deadline) throw error;
    }
    await delay(pauseMs);
  }
}

type Refusal = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

/** Nothing was answered, or that it should be tried later. */
export function isPassing(error: unknown): boolean {
  const { $metadata, name } = error as Refusal;
  if (name === 'CredentialsProviderError') return false;
  const status = $metadata?.httpStatusCode;
  return status === undefined || status === 429 || status >= 500;
}

export function asStoreError(address: string, error: unknown): ObjectStoreError {
  const first = (error instanceof AggregateError ? error.errors[0] : error) as Refusal;
  const status = first.$metadata?.httpStatusCode;
  if (first.name === 'NoSuchKey' || first.name === 'NotFound')
    return new ObjectMissingError(`${address} does not exist`);
  const words = first.message && first.message !== 'UnknownError' ? first.message : `it responded with ${status}`;
  const name = status === undefined ? '' : `${first.name}: `;
  return new ObjectStoreError(`${address}: ${name}${words.replaceAll(/\s+/g, ' ')}`, { cause: error });
}
