import type { Context } from '../context.ts';
import { blocksInWords, diffInWords, requestInWords, reviewInWords, threadInWords } from '../merge-requests/shown.ts';
import { gather } from '../project/gather.ts';
import { projectFor } from '../workspace/find-workspace.ts';

type ViewOptions = { diff?: boolean; threads?: boolean };

export async function viewRequest(context: Context, number: string, options: ViewOptions): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const { mergeRequests } = connection.client;
  const call = { signal: io.signal };
  const request = await mergeRequests.get(projectId, number, call);
  const [readiness, reviews, threads, diff] = await Promise.all([
    request.state === 'open' ? mergeRequests.readiness(projectId, number, call) : undefined,
    gather(mergeRequests.reviews(projectId, number, call)),
    options.threads ? gather(mergeRequests.threads(projectId, number, call)) : undefined,
    options.diff ? mergeRequests.diff(projectId, number, {}, call) : undefined,
  ]);
  const data = {
    ...request,
    reviews,
    ...(readiness && { readiness }),
    ...(threads && { threads }),
    ...(diff && { diff }),
  };
  const { colours } = output;
  output.result(data, () =>
    [
      requestInWords(request),
      readiness && !readiness.ready ? `Not ready to merge:\n${blocksInWords(readiness.blocked_by)}` : '',
      request.description,
      ...reviews.map(reviewInWords),
      ...(threads ?? []).map((thread) => threadInWords(thread, colours)),
      diff ? diffInWords(diff, colours) : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
}
