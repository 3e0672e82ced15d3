import { Button, Group, Text } from '@mantine/core';
import { IconFilePencil } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { Form } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { MarkdownField } from './markdown-field.tsx';
import { useReview, useReviewChange } from './review-context.ts';
import { suggestionBlock } from './suggestions.ts';
import { threadWords } from './thread.words.ts';

type Sent = { body: string; draft?: true };

type Props = {
  label: string;
  /** Shown above the field. */
  heading?: string;
  text?: string;
  submit: string;
  send: (sent: Sent) => Promise<unknown>;
  /** Called after it was sent, and by the button that cancels. */
  close?: () => void;
  /** Whether the comment can be stored as a draft, as a part of a review. */
  offersDraft?: boolean;
  mayBeEmpty?: boolean;
  /** Keeps the typed text when the form moves to another place. */
  typed?: RefObject<string>;
  /** The lines for a suggestion. */
  lines?: string | null | undefined;
};

/** Writes or edits a comment. */
export function CommentForm(props: Props) {
  const {
    label,
    heading,
    text = '',
    submit,
    send,
    close,
    offersDraft = false,
    mayBeEmpty = false,
    typed,
    lines,
  } = props;
  const words = useWords(threadWords);
  const { which, drafts } = useReview();
  const [body, setBody] = useState(typed?.current || text);
  const put = (value: string) => {
    setBody(value);
    if (typed) typed.current = value;
  };
  const field = useRef<HTMLTextAreaElement>(null);
  const change = useReviewChange(send, () => {
    put('');
    close?.();
  });
  const isEmpty = !mayBeEmpty && body.trim() === '';
  const submitNow = () => {
    if (!isEmpty && !change.isPending) change.mutate({ body });
  };
  const suggest = (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<IconFilePencil size={14} aria-hidden />}
      onClick={() => {
        put(`${body}${body === '' || body.endsWith('\n') ? '' : '\n'}${suggestionBlock(lines ?? '')}`);
        field.current?.focus();
      }}
    >
      {words.suggest}
    </Button>
  );
  return (
    <Form submit={submitNow} gap="xs" label={label}>
      {heading && (
        <Text size="sm" fw={600}>
          {heading}
        </Text>
      )}
      <MarkdownField
        label={label}
        value={body}
        change={put}
        projectId={which.projectId}
        takesFocus={close !== undefined}
        field={field}
        send={submitNow}
        {...(typeof lines === 'string' && { tools: suggest })}
      />
      <Group gap="xs">
        <Button size="compact-sm" type="submit" disabled={isEmpty} loading={change.isPending}>
          {submit}
        </Button>
        {offersDraft && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isEmpty || change.isPending}
            onClick={() => change.mutate({ body, draft: true })}
          >
            {drafts > 0 ? words.addToReview : words.startReview}
          </Button>
        )}
        {close && (
          <Button size="compact-sm" variant="default" onClick={close}>
            {words.cancel}
          </Button>
        )}
      </Group>
    </Form>
  );
}
