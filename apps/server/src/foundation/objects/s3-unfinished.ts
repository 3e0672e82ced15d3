import type { Ask } from './s3-upload.ts';

type Where = { Bucket: string; prefix: string };
type Which = { isOurs: (name: string) => boolean; before: number };
type Begun = { Bucket: string; Key: string; UploadId: string };

/** Aborts uploads that have received no part since `before`. An upload that is only slow still receives parts. */
export async function abortUnfinished(ask: Ask, { Bucket, prefix }: Where, { isOurs, before }: Which): Promise<void> {
  for await (const { Key = '', UploadId = '', Initiated } of uploadsIn(ask, Bucket, prefix)) {
    if (!isOurs(Key.slice(prefix.length)) || !Initiated || Initiated.getTime() > before) continue;
    const begun = { Bucket, Key, UploadId };
    if ((await lastPartAt(ask, begun)) > before) continue;
    await ask(({ sdk, client }) => client.send(new sdk.AbortMultipartUploadCommand(begun)));
  }
}

async function* uploadsIn(ask: Ask, Bucket: string, Prefix: string) {
  for (let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}; ; ) {
    const page = { Bucket, Prefix, ...after };
    const uploads = await ask(({ sdk, client }) => client.send(new sdk.ListMultipartUploadsCommand(page)));
    yield* uploads.Uploads ?? [];
    if (!uploads.IsTruncated || !uploads.NextKeyMarker) return;
    after = { KeyMarker: uploads.NextKeyMarker, UploadIdMarker: uploads.NextUploadIdMarker };
  }
}

async function lastPartAt(ask: Ask, begun: Begun): Promise<number> {
  let last = 0;
  for (let PartNumberMarker: string | undefined; ; ) {
    const page = { ...begun, PartNumberMarker };
    const parts = await ask(({ sdk, client }) => client.send(new sdk.ListPartsCommand(page)));
    for (const { LastModified } of parts.Parts ?? []) last = Math.max(last, LastModified?.getTime() ?? 0);
    if (!parts.IsTruncated || !parts.NextPartNumberMarker) return last;
    PartNumberMarker = parts.NextPartNumberMarker;
  }
}
