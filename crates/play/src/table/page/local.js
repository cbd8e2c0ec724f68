/* The page of `parlour play`: a table whose requests go to the local server. */
import { openTable } from "./table.js";

async function request(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch {
    throw new Error("The program does not answer; it may have ended. An unfinished hand was saved.");
  }
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

const page = document.getElementById("page");

openTable(page, {
  state: (seat, since) => {
    const asked = new URLSearchParams();
    if (seat !== null) asked.set("seat", seat);
    if (since !== null) asked.set("since", since);
    return request(`state?${asked}`);
  },
  send: (command) => request("do", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command),
  }),
  rules: () => request("rules"),
  links: async () => ({ replay: "hand", record: "record" }),
  left: () => {
    page.querySelector("#status").textContent = "You have left the table. An unfinished hand was saved. You can close this page.";
    for (const part of page.querySelectorAll("main > *, aside")) part.hidden = true;
  },
});
