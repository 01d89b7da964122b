#include "trammel/write/plot/raster/stroke_font.hpp"

#include <cmath>
#include <iterator>

namespace trammel {

namespace {

// Glyphs of ASCII 32 to 126. The Hershey Fonts were originally created by Dr. A. V. Hershey while
// working at the U. S. National Bureau of Standards. The format of the font data was originally
// created by James Hurt, Cognition, Inc., 900 Technology Park Drive, Billerica, MA 01821
// (mit-eddie!ci-dandelion!hurt): pairs of letters are x and y as offsets from 'R', y down; the
// first pair is the left and right edge, " R" lifts the pen.
// clang-format off
constexpr const char* glyphs[] = {
    "JZ", "MWRFRT RRYQZR[SZRY", "JZNFNM RVFVM", "H]SBLb RYBRb RLOZO RKUYU",
    "H\\PBP_ RTBT_ RYIWGTFPFMGKIKKLMMNOOUQWRXSYUYXWZT[P[MZKX",
    "F^[FI[ RNFPHPJOLMMKMIKIIJGLFNFPGSHVHYG[F RWTUUTWTYV[X[ZZ[X[VYTWT",
    "E_\\O\\N[MZMYNXPVUTXRZP[L[JZIYHWHUISJRQNRMSKSIRGPFNGMIMKNNPQUXWZY[[[\\Z\\Y",
    "MWRHQGRFSGSIRKQL", "KYVBTDRGPKOPOTPYR]T`Vb", "KYNBPDRGTKUPUTTYR]P`Nb", "JZRLRX RMOWU RWOMU",
    "E_RIR[ RIR[R", "NVSWRXQWRVSWSYQ[", "E_IR[R", "NVRVQWRXSWRV", "G][BIb",
    "H\\QFNGLJKOKRLWNZQ[S[VZXWYRYOXJVGSFQF", "H\\NJPISFS[", "H\\LKLJMHNGPFTFVGWHXJXLWNUQK[Y[",
    "H\\MFXFRNUNWOXPYSYUXXVZS[P[MZLYKW", "H\\UFKTZT RUFU[",
    "H\\WFMFLOMNPMSMVNXPYSYUXXVZS[P[MZLYKW", "H\\XIWGTFRFOGMJLOLTMXOZR[S[VZXXYUYTXQVOSNRNOOMQLT",
    "H\\YFO[ RKFYF", "H\\PFMGLILKMMONSOVPXRYTYWXYWZT[P[MZLYKWKTLRNPQOUNWMXKXIWGTFPF",
    "H\\XMWPURRSQSNRLPKMKLLINGQFRFUGWIXMXRWWUZR[P[MZLX", "NVROQPRQSPRO RRVQWRXSWRV",
    "NVROQPRQSPRO RSWRXQWRVSWSYQ[", "F^ZIJRZ[", "E_IO[O RIU[U", "F^JIZRJ[",
    "I[LKLJMHNGPFTFVGWHXJXLWNVORQRT RRYQZR[SZRY",
    "E`WNVLTKQKOLNMMPMSNUPVSVUUVS RQKOMNPNSOUPV RWKVSVUXVZV\\T]Q]O\\L[JYHWGTFQFNGLHJJILHOHRIUJWLYNZQ[T[WZYYZX RXKWSWUXV",
    "I[RFJ[ RRFZ[ RMTWT", "G\\KFK[ RKFTFWGXHYJYLXNWOTP RKPTPWQXRYTYWXYWZT[K[",
    "H]ZKYIWGUFQFOGMILKKNKSLVMXOZQ[U[WZYXZV", "G\\KFK[ RKFRFUGWIXKYNYSXVWXUZR[K[",
    "H[LFL[ RLFYF RLPTP RL[Y[", "HZLFL[ RLFYF RLPTP",
    "H]ZKYIWGUFQFOGMILKKNKSLVMXOZQ[U[WZYXZVZS RUSZS", "G]KFK[ RYFY[ RKPYP", "NVRFR[",
    "JZVFVVUYTZR[P[NZMYLVLT", "G\\KFK[ RYFKT RPOY[", "HYLFL[ RL[X[", "F^JFJ[ RJFR[ RZFR[ RZFZ[",
    "G]KFK[ RKFY[ RYFY[", "G]PFNGLIKKJNJSKVLXNZP[T[VZXXYVZSZNYKXIVGTFPF",
    "G\\KFK[ RKFTFWGXHYJYMXOWPTQKQ", "G]PFNGLIKKJNJSKVLXNZP[T[VZXXYVZSZNYKXIVGTFPF RSWY]",
    "G\\KFK[ RKFTFWGXHYJYLXNWOTPKP RRPY[", "H\\YIWGTFPFMGKIKKLMMNOOUQWRXSYUYXWZT[P[MZKX",
    "JZRFR[ RKFYF", "G]KFKULXNZQ[S[VZXXYUYF", "I[JFR[ RZFR[", "F^HFM[ RRFM[ RRFW[ R\\FW[",
    "H\\KFY[ RYFK[", "I[JFRPR[ RZFRP", "H\\YFK[ RKFYF RK[Y[", "KYOBOb RPBPb ROBVB RObVb",
    "KYKFY^", "KYTBTb RUBUb RNBUB RNbUb", "JZRDJR RRDZR", "I[Ib[b", "NVSKQMQORPSORNQO",
    "I\\XMX[ RXPVNTMQMONMPLSLUMXOZQ[T[VZXX", "H[LFL[ RLPNNPMSMUNWPXSXUWXUZS[P[NZLX",
    "I[XPVNTMQMONMPLSLUMXOZQ[T[VZXX", "I\\XFX[ RXPVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "I[LSXSXQWOVNTMQMONMPLSLUMXOZQ[T[VZXX", "MYWFUFSGRJR[ ROMVM",
    "I\\XMX]W`VaTbQbOa RXPVNTMQMONMPLSLUMXOZQ[T[VZXX", "I\\MFM[ RMQPNRMUMWNXQX[",
    "NVQFRGSFREQF RRMR[", "MWRFSGTFSERF RSMS^RaPbNb", "IZMFM[ RWMMW RQSX[", "NVRFR[",
    "CaGMG[ RGQJNLMOMQNRQR[ RRQUNWMZM\\N]Q][", "I\\MMM[ RMQPNRMUMWNXQX[",
    "I\\QMONMPLSLUMXOZQ[T[VZXXYUYSXPVNTMQM", "H[LMLb RLPNNPMSMUNWPXSXUWXUZS[P[NZLX",
    "I\\XMXb RXPVNTMQMONMPLSLUMXOZQ[T[VZXX", "KXOMO[ ROSPPRNTMWM",
    "J[XPWNTMQMNNMPNRPSUTWUXWXXWZT[Q[NZMX", "MYRFRWSZU[W[ ROMVM", "I\\MMMWNZP[S[UZXW RXMX[",
    "JZLMR[ RXMR[", "G]JMN[ RRMN[ RRMV[ RZMV[", "J[MMX[ RXMM[", "JZLMR[ RXMR[P_NaLbKb",
    "J[XMM[ RMMXM RM[X[",
    "KYTBRCQDPFPHQJRKSMSOQQ RRCQEQGRISJTLTNSPORSTTVTXSZR[Q]Q_Ra RQSSUSWRYQZP\\P^Q`RaTb", "NVRBRb",
    "KYPBRCSDTFTHSJRKQMQOSQ RRCSESGRIQJPLPNQPURQTPVPXQZR[S]S_Ra RSSQUQWRYSZT\\T^S`RaPb",
    "F^IUISJPLONOPPTSVTXTZS[Q RISJQLPNPPQTTVUXUZT[Q[O"};
// clang-format on
static_assert(std::size(glyphs) == 95);

constexpr const char* box = "I[KFYFY[K[KF";
constexpr const char* degree = "LXRFPGOIPKRLTKUITGRF";
constexpr const char* times = "I[MMWW RWMMW";
constexpr const char* dot = "NVRPQQRRSQRP";

// The next UTF-8 code point; an invalid byte counts as one.
char32_t next_letter(std::string_view& text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  std::size_t length = first < 0x80    ? 1
                       : first >= 0xf0 ? 4
                       : first >= 0xe0 ? 3
                       : first >= 0xc0 ? 2
                                       : 1;
  if (length > text.size()) length = 1;
  char32_t letter = length == 1 ? first : first & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) letter = (letter << 6) | (byte(k) & 0x3fU);
  text.remove_prefix(length);
  return letter;
}

const char* glyph_of(char32_t letter) {
  if (letter >= 32 && letter < 127) return glyphs[letter - 32];
  switch (letter) {
    case 0xb0: return degree;
    case 0xb7: return dot;
    case 0xd7: return times;
    case 0x2212: return glyphs['-' - 32];
    default: return box;
  }
}

}  // namespace

TextStrokes text_strokes(std::string_view text, double size) {
  // capitals are 21 units high, and the baseline is 9 below the middle; the font is wider than the
  // sans-serif fonts for which the pictures are laid out
  const double scale = 0.72 * size / 21, across = 0.86 * scale;
  TextStrokes out;
  while (!text.empty()) {
    const char* const glyph = glyph_of(next_letter(text));
    const int left = glyph[0] - 'R', right = glyph[1] - 'R';
    Polyline line;
    const auto lift = [&] {
      if (!line.empty()) out.lines.push_back(std::move(line));
      line = {};
    };
    for (const char* c = glyph + 2; c[0] != '\0'; c += 2) {
      if (c[0] == ' ')
        lift();
      else
        line.push_back({out.width + across * (c[0] - 'R' - left), scale * (c[1] - 'R' - 9)});
    }
    lift();
    out.width += across * (right - left);
  }
  return out;
}

}  // namespace trammel
