import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { commentWords } from './comments.words.ts';

export const maxCharacters = 10_000;

type Props = {
  label: string;
  text?: string;
  send: (text: string) => void;
  sending: { error: unknown; isPending: boolean };
  words: { send: string };
  close: () => void;
};

/** A form to reply or to edit. It takes the focus. */
export function TextForm({ label, text = '', send, sending, words, close }: Props) {
  const [content, setContent] = useState(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(content);
      }}
    >
      <Stack gap={6}>
        <Textarea
          aria-label={label}
          required
          autosize
          maxLength={maxCharacters}
          value={content}
          ref={(field: HTMLTextAreaElement | null) => {
            if (field && content === text) field.focus();
          }}
          onChange={(event) => setContent(event.currentTarget.value)}
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
