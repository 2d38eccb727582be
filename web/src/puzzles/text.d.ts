// A text file is a string, as the build has it.
declare module '*.txt' {
  const text: string;
  export default text;
}
