import { type CommentType, type CreateComment, commentTypes } from '@bottega/contract';
import { Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, once } from '../api/client.ts';
import { MentionTextarea } from '../mentions/mention-textarea.tsx';
import { useWords } from '../words/words.tsx';
import type { CommentBook, Remark } from './comment-book.ts';
import { commentWords } from './comments.words.ts';
import type { EditorHandle } from './editor-handle.ts';
import { maxCharacters, SendButtons, TextForm } from './text-form.tsx';

/** What a new comment is about. The user may show another file while writing it. */
export type CommentPlace = ReturnType<EditorHandle['selection']> & { path: string };
type Props = {
  book: CommentBook;
  about: CommentPlace;
  /** Whether another file is shown, so that the line alone does not say what the comment is about. */
  isElsewhere: boolean;
  close: () => void;
};

export function CommentForm({ book, about, isElsewhere, close }: Props) {
  const words = useWords(commentWords);
  const form = useForm({
    initialValues: { type: 'comment' as CommentType, content: '', suggestion: about.text },
  });
  const { type } = form.values;
  const create = useCreation(book, close);
  const submit = ({ content, suggestion }: typeof form.values) => {
    const { line, column } = about.position;
    // A suggestion needs the text that it replaces; without a selection, that is the whole line.
    const whole = { position: { line, column: 1 }, end: { line, column: about.text.length + 1 } };
    const range = about.end ? { position: { line, column }, end: about.end } : { position: { line, column } };
    create.mutate({
      file_path: about.path,
      content,
      type,
      ...range,
      ...(type === 'suggestion' && { ...(about.end ? range : whole), suggestion }),
    });
  };
  return (
    <form onSubmit={form.onSubmit(submit)} aria-label={words.newOn(about.position.line)}>
      <Stack gap="xs" className="surface thread">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {words.newOn(about.position.line)}
          </Text>
          <NativeSelect
            size="xs"
            aria-label={words.type}
            data={commentTypes.map((value) => ({ value, label: words[value] }))}
            {...form.getInputProps('type')}
          />
        </Group>
        {isElsewhere && (
          <Text size="xs" c="dimmed" className="breaks-anywhere">
            {about.path}
          </Text>
        )}
        <MentionTextarea
          peopleOf={book.projectId}
          aria-label={words.content}
          placeholder={words.content}
          required
          autosize
          minRows={2}
          maxLength={maxCharacters}
          data-autofocus
          field={(field: HTMLTextAreaElement | null) => {
            if (field && form.values.content === '' && !form.isTouched()) field.focus();
          }}
          value={form.values.content}
          change={(content) => form.setFieldValue('content', content)}
        />
        {type === 'suggestion' && (
          <Textarea
            label={words.instead}
            autosize
            minRows={2}
            maxLength={100_000}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
            {...form.getInputProps('suggestion')}
          />
        )}
        <SendButtons send={words.send} sending={create} close={close} size="compact-sm" />
      </Stack>
    </form>
  );
}

export function ReplyForm({ book, to, close }: { book: CommentBook; to: Remark; close: () => void }) {
  const words = useWords(commentWords);
  const create = useCreation(book, close);
  return (
    <TextForm
      label={words.replyTo(to.author.name)}
      peopleOf={book.projectId}
      send={(content) => create.mutate({ file_path: to.file_path, position: to.position, content, parent_id: to.id })}
      sending={create}
      words={words}
      close={close}
    />
  );
}

/** Creates comments. Each form has one idempotency key, so it creates only one comment however often it is sent. */
function useCreation(book: CommentBook, done: () => void) {
  const client = useQueryClient();
  const [keys, setKeys] = useState({ of: '', key: once() });
  return useMutation({
    mutationFn: (body: CreateComment) => {
      const of = JSON.stringify(body);
      const used = keys.of === of ? keys : { of, key: once() };
      setKeys(used);
      return book.create(body, used.key);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: book.queryKey });
      done();
    },
    retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
  });
}
