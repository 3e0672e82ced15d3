import { once } from '../concurrency/once.ts';
import { mustBeName, type ObjectStore } from './object-store.ts';
import { asStoreError, connect, isPassing, parseS3Address, persistently, type S3Settings } from './s3-client.ts';
import { abortUnfinished } from './s3-unfinished.ts';
import { type Ask, upload } from './s3-upload.ts';

/**
 * How long to retry if a store does not respond. If it has responded before, it will probably be back. If it never has,
 * its address may be wrong.
 */
const usualPatienceMs = 5 * 60_000;
const firstPatienceMs = 5_000;

/** A bucket, or a prefix in it. */
export function s3Store(address: string, settings: S3Settings, partBytes?: number): ObjectStore {
  const { bucket: Bucket, prefix } = parseS3Address(address);
  const { patienceMs = usualPatienceMs } = settings;
  const connected = once(() => connect(settings));
  let hasAnswered = false;
  const addressOf = (name: string): string => `s3://${Bucket}/${prefix}${mustBeName(name)}`;
  const keyOf = (name: string): string => prefix + mustBeName(name);
  const asking =
    (about: string): Ask =>
    async (work) => {
      const all = await connected();
      const patience = hasAnswered ? patienceMs : Math.min(patienceMs, firstPatienceMs);
      const answer = await persistently(patience, () => work(all)).catch((error: unknown) => {
        throw asStoreError(about, error);
      });
      hasAnswered = true;
      return answer;
    };
  return {
    addressOf,
    async put(name, source) {
      const target = { Bucket, Key: keyOf(name), address: addressOf(name) };
      return upload(asking(target.address), target, source, partBytes);
    },
    get(name) {
      const object = { Bucket, Key: keyOf(name) };
      return download(addressOf(name), (from, etag) =>
        asking(addressOf(name))(async ({ sdk, client }) => {
          const rest = from > 0 && { Range: `bytes=${from}-`, IfMatch: etag };
          const { Body, ETag } = await client.send(new sdk.GetObjectCommand({ ...object, ...rest }));
          return { body: Body as AsyncIterable<Buffer>, etag: ETag };
        }),
      );
    },
    async *list() {
      for (let ContinuationToken: string | undefined; ; ) {
        const page = { Bucket, Prefix: prefix, Delimiter: '/', ContinuationToken };
        const listing = await asking(address)(({ sdk, client }) => client.send(new sdk.ListObjectsV2Command(page)));
        for (const { Key = '', Size = 0 } of listing.Contents ?? []) {
          if (Key !== prefix) yield { name: Key.slice(prefix.length), size: Size };
        }
        ContinuationToken = listing.NextContinuationToken;
        if (!listing.IsTruncated || !ContinuationToken) return;
      }
    },
    async delete(name) {
      const object = { Bucket, Key: keyOf(name) };
      await asking(addressOf(name))(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(object)));
    },
    async deleteUnfinished(isOurs, olderThanMs) {
      await abortUnfinished(asking(address), { Bucket, prefix }, { isOurs, before: Date.now() - olderThanMs });
    },
  };
}

type Open = (
  from: number,
  etag: string | undefined,
) => Promise<{ body: AsyncIterable<Buffer>; etag: string | undefined }>;

const maxFruitlessTries = 3;

/**
 * Downloads an object. Resumes after interruptions, as long as some data arrives from time to time and the object has
 * not changed.
 */
async function* download(address: string, open: Open): AsyncGenerator<Buffer> {
  let from = 0;
  let etag: string | undefined;
  for (let fruitless = 0; ; fruitless++) {
    const opened = await open(from, etag);
    etag = opened.etag;
    try {
      for await (const chunk of opened.body) {
        from += chunk.length;
        fruitless = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (!isPassing(error) || fruitless === maxFruitlessTries) throw asStoreError(address, error);
    }
  }
}
