import type { ReviewEvent } from '@bottega/contract';
import { Button, Popover, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { Form } from '../kit/form.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { changesWords } from './changes.words.ts';
import { MarkdownField } from './markdown-field.tsx';
import { useReview, useReviewChange } from './review-context.ts';

type Typed = { event: ReviewEvent; body: string };
const nothing: Typed = { event: 'COMMENT', body: '' };

/** `seen` is the commit whose changes are shown. */
type Props = { seen: string | undefined };

/** Submits the review with everything that was kept as drafts. */
export function FinishReview({ seen }: Props) {
  const words = useWords(changesWords);
  const { drafts } = useReview();
  const [isOpen, setOpen] = useState(false);
  // It is stored here, because a click outside closes the form, for example to read the changes once more.
  const [typed, setTyped] = useState(nothing);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={420}
      trapFocus
      shadow="md"
      returnFocus
      // Escape does not close the dialog, because it must be able to close a list of people in the field.
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button size="xs" onClick={() => setOpen(!isOpen)}>
          {drafts > 0 ? words.finishWith(drafts) : words.finish}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        className="review-form"
        aria-label={words.finish}
        maw="calc(100vw - 24px)"
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      >
        <ReviewForm seen={seen} typed={typed} setTyped={setTyped} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

type FormProps = Props & { typed: Typed; setTyped: (typed: Typed) => void; close: () => void };

function ReviewForm({ seen, typed, setTyped, close }: FormProps) {
  const words = useWords(changesWords);
  const { which, request, userId, drafts } = useReview();
  const { event, body } = typed;
  // Authors cannot judge their own changes.
  const events: ReviewEvent[] = request.author?.id === userId ? ['COMMENT'] : ['COMMENT', 'APPROVE', 'REQUEST_CHANGES'];
  const submit = useReviewChange(
    () =>
      call('POST /projects/{project_id}/merge-requests/{number}/reviews', {
        params: requestParams(which),
        // Only an approval counts for what the reviewer saw. The service refuses it if there is a newer version.
        body: { event, body, ...(event === 'APPROVE' && { head_sha: seen ?? request.head_sha }) },
      }),
    () => {
      toast(words.submitted);
      setTyped(nothing);
      close();
    },
  );
  const saysNothing = event !== 'APPROVE' && drafts === 0 && body.trim() === '';
  return (
    <Form submit={() => submit.mutate(undefined)} gap="sm" label={words.finish}>
      <MarkdownField
        label={words.summary}
        isNamed
        projectId={which.projectId}
        value={body}
        change={(value) => setTyped({ event, body: value })}
        takesFocus
      />
      {events.length > 1 && (
        <Radio.Group
          label={words.verdict}
          value={event}
          onChange={(value) => setTyped({ event: value as ReviewEvent, body })}
        >
          <Stack gap="xs" mt={4}>
            {events.map((value) => (
              <Radio key={value} value={value} label={words[value]} description={words[`${value}Hint`]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {drafts > 0 && <Text size="xs">{words.draftsIncluded(drafts)}</Text>}
      {saysNothing && (
        <Text size="xs" c="dimmed">
          {words.sayMore}
        </Text>
      )}
      <Button type="submit" size="xs" loading={submit.isPending} disabled={saysNothing}>
        {words.submit}
      </Button>
    </Form>
  );
}
