// Reads pages as JSON strings, one a line, and answers each with a line: the mistakes html-validate finds in it.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const look = new URL("../../portal/static/", import.meta.url);
const { HtmlValidate } = createRequire(look)("html-validate");
const validator = new HtmlValidate(JSON.parse(readFileSync(new URL(".htmlvalidate.json", look), "utf8")));

for await (const line of createInterface({ input: process.stdin })) {
  const report = validator.validateStringSync(JSON.parse(line), "page.html");
  const messages = report.results.flatMap((result) => result.messages);
  const faults = messages.map((fault) => `${fault.ruleId}: ${fault.message} (line ${fault.line})`);
  process.stdout.write(`${JSON.stringify(faults)}\n`);
}
