import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from '../kit/refusal.tsx';
import { MentionTextarea } from '../mentions/mention-textarea.tsx';
import { useWords } from '../words/words.tsx';
import { commentWords } from './comments.words.ts';

export const maxCharacters = 10_000;

type Props = {
  label: string;
  /** The project whose people can be mentioned, if there is one. */
  peopleOf: string | null;
  text?: string;
  send: (text: string) => void;
  sending: { error: unknown; isPending: boolean };
  words: { send: string };
  close: () => void;
};

/** A form to reply or to edit. It takes the focus. */
export function TextForm({ label, peopleOf, text = '', send, sending, words, close }: Props) {
  const [content, setContent] = useState(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(content);
      }}
    >
      <Stack gap={6}>
        <MentionTextarea
          peopleOf={peopleOf}
          aria-label={label}
          required
          autosize
          maxLength={maxCharacters}
          value={content}
          field={(field: HTMLTextAreaElement | null) => {
            if (field && content === text) field.focus();
          }}
          change={setContent}
        />
        <SendButtons send={words.send} sending={sending} close={close} size="compact-xs" />
      </Stack>
    </form>
  );
}

type ButtonsProps = Pick<Props, 'sending' | 'close'> & { send: string; size: 'compact-xs' | 'compact-sm' };

export function SendButtons({ send, sending, close, size }: ButtonsProps) {
  const words = useWords(commentWords);
  return (
    <>
      <Refusal error={sending.error} />
      <Group gap={6}>
        <Button size={size} type="submit" loading={sending.isPending}>
          {send}
        </Button>
        <Button size={size} variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </Group>
    </>
  );
}
