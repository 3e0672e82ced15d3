import { setTimeout as delay } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { ObjectMissingError, ObjectStoreError } from './object-store.ts';

export type S3Settings = {
  /** Null means the endpoint of AWS. */
  endpoint: string | null;
  region: string | null;
  /** How long requests to a store that does not respond are retried. */
  patienceMs?: number;
  /** How long a request may go without a response. */
  timeoutMs?: number;
};

export type S3Place = { bucket: string; prefix: string };

/** Parses `s3://bucket` or `s3://bucket/prefix`, with or without a slash at the end. */
export function parseS3Address(address: string): S3Place {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new ObjectStoreError(`${address} is not an address such as s3://bucket/prefix`);
  const plain = prefix.replaceAll(/^\/+|\/+$/g, '');
  return { bucket, prefix: plain === '' ? '' : `${plain}/` };
}

/**
 * Connects to a store. Amazon's library finds the credentials: `AWS_*`, profiles, or the role of the machine. It is
 * loaded on first use.
 */
export async function connect({
  endpoint,
  region,
  timeoutMs = 60_000,
}: S3Settings): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...((region ?? endpoint) && { region: region ?? 'us-east-1' }),
    // Other stores do not support the checksums that Amazon's library would add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: Math.min(timeoutMs, 10_000), socketTimeout: timeoutMs },
  });
  return { sdk, client };
}

export type Sdk = typeof import('@aws-sdk/client-s3');

const firstPauseMs = 500;
const longestPauseMs = 20_000;

/**
 * Retries with growing pauses while the network or the store is unavailable. The library itself would give up after
 * seconds.
 */
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

/** Whether the same request may succeed later: the store did not respond, or asked to try again later. */
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
