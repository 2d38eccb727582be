// A text of several paragraphs, one a line.

export function Paragraphs({ text }: { text: string }) {
  return (
    <>
      {text.split('\n').map((one) => (
        <p key={one}>{one}</p>
      ))}
    </>
  );
}
